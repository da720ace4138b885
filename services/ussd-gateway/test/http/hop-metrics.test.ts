import { ussdHealth } from '@mlango/schemas/ussd';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, describe, expect, it } from 'vitest';
import { ChainError } from '../../src/connectors/chain/chain-question.js';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import { payFlow } from '../effects/pay-flow.js';
import { call, screens } from '../support/aggregator-calls.js';
import { embeddedCounts } from '../support/on-databases.js';
import { openTestApp, sendHop, type TestAppOptions } from '../support/test-app.js';

let app: HttpApp;
afterEach(async () => app.close());

const screenCounts = embeddedCounts();
const open = async (options?: TestAppOptions) => {
  app = await openTestApp({ ...options, counts: screenCounts() });
};

/** Every series that is not zero, as `aggregator outcome dependency times`. */
async function counts(): Promise<string[]> {
  const { body } = await app.inject('/metrics');
  const series = /^ussd_hops_total\{aggregator="(.+)",outcome="(.+)",dependency="(.+)",service="test"\} (\d+)$/gm;
  const found = [...body.matchAll(series)].filter(([, , , , times]) => times !== '0');
  return found.map((parts) => parts.slice(1).join(' ')).toSorted();
}

/** Sessions that fail in the ways of back ends. */
class FailingSessions extends MemorySessionStore {
  failure: Error | undefined;
  override hold(...args: Parameters<MemorySessionStore['hold']>) {
    return this.failure === undefined ? super.hold(...args) : Promise.reject(this.failure);
  }
}

const callers = Array.from({ length: 40 }, (_, index) => ({
  sessionId: `caller-${index}`,
  phoneNumber: `+2609712300${10 + index}`,
}));
const health = async () => ussdHealth.parse((await app.inject('/health')).json()).hops;
const ready = async () => (await app.inject('/health/ready')).statusCode;

describe('a hop is counted', () => {
  it('as answered by the aggregator that sent it, like the end of a session', async () => {
    await open();
    await sendHop(app, '');
    await sendHop(app, '1');
    const form = { sessionId: 'at-1', phoneNumber: '+254711000001', serviceCode: '*384#', text: '' };
    await call(app, { url: '/api/ussd/africastalking', form });
    await call(app, { url: '/api/ussd/africastalking/events', form: { ...form, status: 'Incomplete' } });
    expect(await counts()).toEqual(['africastalking answered none 2', 'canonical answered none 2']);
  });

  it('as answered with the screen of a running effect, which came in time', async () => {
    await open({ flow: payFlow, effects: { pay: async () => ({ pending: true }) } });
    for (const text of ['', '1']) await sendHop(app, text);
    expect((await sendHop(app, '1*250')).text).toMatch(/^CON We are working on it\./);
    expect(await counts()).toEqual(['canonical answered none 3']);
  });

  it('as refused if its caller is unknown or over the limit of an address, as limited over that of a phone', async () => {
    await open({
      env: {
        RATE_LIMIT_MAX: '2',
        RATE_LIMIT_PER_PHONE: '1',
        AGGREGATOR_CANONICAL_CIDRS: '192.0.2.0/24',
        AGGREGATOR_HUBTEL_SECRET: 'a-secret-of-hubtel-only',
      },
    });
    for (let hop = 0; hop < 3; hop++) await sendHop(app, '', {}, '192.0.2.77');
    const strange = { remoteAddress: '198.51.100.77' };
    for (let time = 0; time < 5; time++) await call(app, { url: '/api/ussd/hubtel', json: {}, ...strange });
    expect(await counts()).toEqual(['canonical answered none 1', 'canonical limited none 2', 'hubtel refused none 5']);
  });

  it('as invalid for any problem of the request, readable or not', async () => {
    await open({ env: { SERVICE_CODES: '*384#' } });
    await sendHop(app, '', { phoneNumber: 'nobody' });
    await sendHop(app, '', { serviceCode: '*999#' });
    await call(app, { url: '/api/ussd', json: '{"sessionId":' });
    await call(app, { url: '/api/ussd', form: 'sessionId=1' });
    await call(app, { url: '/api/ussd', json: { text: 'x'.repeat(100_000) } });
    await call(app, { url: '/api/ussd/comviva', method: 'GET' });
    expect(await counts()).toEqual(['canonical invalid none 5', 'comviva invalid none 1']);
  });

  it('by the failed dependency, at any depth of the error', async () => {
    const store = new FailingSessions();
    await open({ store });
    const closedError = new Error('Connection is closed.');
    for (const failure of [
      closedError,
      new ServiceError('unavailable', 'Sessions cannot be reached', { cause: closedError }),
      new Error('Failed query', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) }),
      new ChainError('unavailable', 'The chain cannot be asked now', {
        cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
      }),
      new Error('a fault of ours'),
    ]) {
      store.failure = failure;
      expect(await sendHop(app, '')).toMatchObject({ status: 200, text: `END ${screens.unavailable}` });
    }
    expect(await counts()).toEqual([
      'canonical unavailable chain 1',
      'canonical unavailable database 1',
      'canonical unavailable none 1',
      'canonical unavailable redis 2',
    ]);
  });

  it('as past its deadline', async () => {
    const store = new FailingSessions();
    await open({ store, env: { HOP_DEADLINE_MS: '100' } });
    store.hold = () => new Promise(() => {});
    await sendHop(app, '');
    expect(await counts()).toEqual(['canonical deadline none 1']);
  });

  it('even if load was shed before a handler ran', async () => {
    await open();
    Object.assign(app, { isUnderPressure: () => true });
    expect(await sendHop(app, '')).toMatchObject({ status: 200, text: `END ${screens.unavailable}` });
    expect(await counts()).toEqual(['canonical unavailable none 1']);
    Object.assign(app, { isUnderPressure: () => false });
    expect((await app.inject('/api/ussd/analytics')).json()).toMatchObject({ failedHops: 1 });
  });

  it('only at an endpoint: other requests are no hops', async () => {
    await open({ env: { OPERATOR_TOKEN: 'a-token-for-operators' } });
    for (const url of ['/', '/nowhere', '/api/ussd', '/api/ussd/sessions']) await app.inject({ url });
    expect(await counts()).toEqual([]);
  });
});

describe('forty unanswered hops of forty', () => {
  it('of an unavailable back end fail the count, health and readiness, until the window has moved on', async () => {
    const store = new FailingSessions();
    let nowMs = 0;
    await open({ store, clock: () => nowMs });
    expect([await health(), await ready()]).toEqual([{ state: 'quiet', windowSeconds: 60, unanswered: null }, 200]);
    store.failure = new Error('Connection is closed.');
    for (const caller of callers) await sendHop(app, '', caller);
    expect(await counts()).toEqual(['canonical unavailable redis 40']);
    expect((await app.inject('/api/ussd/analytics')).json()).toMatchObject({ hops: 0, failedHops: 40 });
    expect([await health(), await ready()]).toEqual([{ state: 'failing', windowSeconds: 60, unanswered: 1 }, 503]);

    nowMs += 60_000;
    expect([(await health()).state, await ready()]).toEqual(['quiet', 200]);
    for (const caller of callers) await sendHop(app, '', caller);
    expect([(await health()).state, await ready()]).toEqual(['failing', 503]);
    store.failure = undefined;
    await sendHop(app, '');
    expect([await health(), await ready()]).toEqual([{ state: 'served', windowSeconds: 60, unanswered: 0.975 }, 200]);
  });

  it('of unknown callers fail the count and health, but not readiness', async () => {
    await open({ env: { AGGREGATOR_CANONICAL_CIDRS: '192.0.2.0/24' } });
    for (const caller of callers) expect(await sendHop(app, '', caller)).toMatchObject({ status: 403 });
    expect(await counts()).toEqual(['canonical refused none 40']);
    expect((await app.inject('/api/ussd/analytics')).json()).toMatchObject({ hops: 0, failedHops: 0 });
    expect([(await health()).state, await ready()]).toEqual(['failing', 200]);
  });
});
