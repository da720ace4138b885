import { randomBytes } from 'node:crypto';
import { EnvError } from '@mlango/service-kit/env';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, describe, expect, it } from 'vitest';
import { aggregatorIds } from '../../src/aggregators/shipped.fixture.js';
import { readConfig } from '../../src/config.js';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import { call, screens } from '../support/aggregator-calls.js';
import { type AggregatorId, aggregatorLines, type WireRequest } from '../support/aggregator-lines.js';
import { openTestApp, sendHop } from '../support/test-app.js';

let app: HttpApp;
afterEach(async () => app?.close());

const production = {
  NODE_ENV: 'production',
  ALLOW_EMBEDDED: 'true',
  PIN_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
  OPERATOR_TOKEN: randomBytes(32).toString('hex'),
};
const secret = randomBytes(32).toString('base64url');

/** One hop of a session that the client claims, in each aggregator's own format. A hop without input dials. */
async function hop(id: AggregatorId, sessionId: string, phoneNumber: string, input: string) {
  const typed = { sessionId, phoneNumber, dials: input === '', input, text: input, count: input === '' ? 0 : 1 };
  const reply = await inject(aggregatorLines[id].request(typed));
  return { status: reply.statusCode, text: reply.body };
}

const inject = ({ body, ...request }: WireRequest) =>
  app.inject({ ...request, ...(body === undefined ? {} : { payload: body }) });

const problemsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig({ ...production, ...env });
    return [];
  } catch (error) {
    if (error instanceof EnvError) return error.problems.map(({ variable }) => variable);
    throw error;
  }
};

describe('the mounted endpoints', () => {
  it.each([
    ['in development', {}, [...aggregatorIds]],
    ['in production', production, ['canonical']],
    ['by name', { AGGREGATORS: 'hubtel' }, ['hubtel']],
    [
      'by name in production',
      { ...production, AGGREGATORS: 'hubtel,canonical', AGGREGATOR_HUBTEL_SECRET: secret },
      ['canonical', 'hubtel'],
    ],
  ])('are the configured ones: %s', async (_, env: Record<string, string>, mounted: string[]) => {
    app = await openTestApp({ env });
    const found: string[] = [];
    for (const id of aggregatorIds) {
      if ((await hop(id, 's', '+260971230567', '')).status !== 404) found.push(id);
    }
    expect(found).toEqual(mounted);
  });

  it('are protected in production, except for the canonical one', () => {
    const others = aggregatorIds.filter((id) => id !== 'canonical');
    expect(problemsOf({ AGGREGATORS: aggregatorIds.join(',') })).toEqual(
      others.map((id) => `AGGREGATOR_${id.toUpperCase()}_SECRET`),
    );
    const guarded = others.map((id) => [`AGGREGATOR_${id.toUpperCase()}_CIDRS`, '192.0.2.0/24']);
    expect(problemsOf({ AGGREGATORS: aggregatorIds.join(','), ...Object.fromEntries(guarded) })).toEqual([]);
  });
});

describe('a session of one aggregator', () => {
  it('is neither read, continued nor ended by any other, for a thousand sessions and any ids and numbers', async () => {
    const sessions = new MemorySessionStore();
    app = await openTestApp({
      store: sessions,
      env: { RESUME_WINDOW_SECONDS: '300', RATE_LIMIT_PER_PHONE: '100000' },
      findCaller: async () => ({}),
    });
    const theirs = Array.from({ length: 1_000 }, (_, index) => ({
      sessionId: `live-${index}`,
      phoneNumber: `+26097${String(1_000_000 + index)}`,
    }));
    for (const one of theirs) {
      await sendHop(app, '', one);
      expect((await sendHop(app, '1', one)).text).toBe(`CON ${screens.information}`);
    }
    const attackers = aggregatorIds.filter((id) => id !== 'canonical');
    for (const [index, { sessionId, phoneNumber }] of theirs.entries()) {
      const id = attackers[index % attackers.length];
      if (id === undefined) throw new Error('no attacker');
      const seen = await hop(id, sessionId, phoneNumber, '1');
      expect(seen.text).not.toContain('Back to Main Menu');
      // A dial of the same number at another aggregator offers no resume.
      const redialled = await hop(id, `other-${index}`, phoneNumber, '');
      expect(redialled.text).not.toContain('Continue');
      const end = aggregatorLines[id].end?.(sessionId, phoneNumber);
      if (end !== undefined) await inject(end);
    }
    for (const one of theirs) {
      const record = await sessions.findLive(one.sessionId, ['canonical']);
      expect(record?.position.state).toBe('knowMore');
      expect((await sendHop(app, '1*1', one)).text).toContain('1. Back to Main Menu');
    }
  }, 60_000);

  it('has an unguessable id if the gateway sends none', async () => {
    const sessions = new MemorySessionStore();
    app = await openTestApp({ store: sessions });
    const anonymous = { USERID: 'NALOTest', MSISDN: '233265542141', NETWORK: 'MTN', USERDATA: '', MSGTYPE: true };
    await call(app, { url: '/api/ussd/nalo', json: anonymous });
    const [id = ''] = await sessions.listLive('default');
    expect(id).toMatch(/^nalo:[\w+/-]{22}$/);
    expect(id).not.toContain('NALOTest');
  });
});

describe('a service code that is not served', () => {
  it('is invalid input if codes are configured; a gateway that sends no code is served', async () => {
    app = await openTestApp({ env: { SERVICE_CODES: '*384#,*713#' } });
    expect((await sendHop(app, '')).text).toBe(`CON ${screens.welcome}`);
    const other = await sendHop(app, '', { sessionId: 'other', serviceCode: '*999#' });
    expect(other).toMatchObject({ status: 200, text: `END ${screens.invalid}` });
    const url = '/api/ussd/comviva?SessionID=s&MSISDN=260971230567&input=';
    const unnamed = await call(app, { method: 'GET', url });
    expect(unnamed.text).toContain('Welcome');
  });
});
