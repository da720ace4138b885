import { randomBytes } from 'node:crypto';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, describe, expect, it } from 'vitest';
import { withoutAddresses } from '../../src/aggregator-settings.js';
import { aggregatorIds } from '../../src/aggregators/shipped.fixture.js';
import { readConfig } from '../../src/config.js';
import { type AggregatorId, aggregatorLines } from '../support/aggregator-lines.js';
import { openTestApp } from '../support/test-app.js';

let app: HttpApp;
afterEach(async () => app.close());

const theirs = '192.0.2.7';
const strange = '198.51.100.1';
const cidrsOf = (id: AggregatorId) => ({ [`AGGREGATOR_${id.toUpperCase()}_CIDRS`]: '192.0.2.0/24' });
/** Unique phones and sessions. */
const phone = (index: number) => `+26097${String(1_000_000 + index)}`;

async function dial(id: AggregatorId, index: number, remoteAddress: string, headers: Record<string, string> = {}) {
  const typed = { sessionId: `s-${index}`, phoneNumber: phone(index), dials: true, input: '', text: '', count: 0 };
  const { method, url, headers: own, body } = aggregatorLines[id].request(typed);
  const payload = body === undefined ? {} : { payload: body };
  const reply = await app.inject({ method, url, headers: { ...own, ...headers }, remoteAddress, ...payload });
  // A failed hop may have status 200 too.
  if (reply.statusCode === 200) expect(reply.body).toContain('Welcome');
  return reply.statusCode;
}

async function statusesOf(count: number, dialOf: (index: number) => Promise<number>): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  for (let index = 0; index < count; index++) {
    const status = await dialOf(index);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return statuses;
}

describe('hops of one minute', () => {
  it('are all served from an address of the aggregator, 140 of them', async () => {
    app = await openTestApp({ env: { ...cidrsOf('canonical'), RATE_LIMIT_MAX: '' } });
    expect(await statusesOf(140, (index) => dial('canonical', index, theirs))).toEqual(new Map([[200, 140]]));
  });

  it('are served up to 100 from an unknown address', async () => {
    app = await openTestApp({ env: { RATE_LIMIT_MAX: '' } });
    const statuses = await statusesOf(140, (index) => dial('canonical', index, strange));
    expect(statuses).toEqual(
      new Map([
        [200, 100],
        [429, 40],
      ]),
    );
  });

  it('of one phone are limited from any address', async () => {
    app = await openTestApp({ env: { ...cidrsOf('canonical'), RATE_LIMIT_PER_PHONE: '' } });
    const statuses = await statusesOf(70, () => dial('canonical', 0, theirs));
    expect(statuses).toEqual(
      new Map([
        [200, 60],
        [429, 10],
      ]),
    );
  });
});

describe.each(aggregatorIds)('an address of %s', (id) => {
  const env = { ...cidrsOf(id), RATE_LIMIT_MAX: '2', RATE_LIMIT_PER_PHONE: '3' };
  const other = aggregatorIds[(aggregatorIds.indexOf(id) + 1) % aggregatorIds.length] ?? id;

  it('is not limited as that aggregator, and each of its phones is', async () => {
    app = await openTestApp({ env });
    for (let index = 0; index < 6; index++) expect(await dial(id, index, theirs)).toBe(200);
    for (const status of [200, 200, 429]) expect(await dial(id, 0, theirs)).toBe(status);
    expect(await dial(id, 1, theirs)).toBe(200);
  });

  it('is limited like any other at the endpoint of another aggregator', async () => {
    app = await openTestApp({ env });
    for (const status of [200, 200, 429]) expect(await dial(other, 0, theirs)).toBe(status);
    expect(await dial(id, 0, theirs)).toBe(200);
  });

  it('is limited like any other on operator routes', async () => {
    app = await openTestApp({ env });
    const statusOf = async () => (await app.inject({ url: '/api/ussd/sessions', remoteAddress: theirs })).statusCode;
    expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([200, 200, 429]);
  });

  it('is limited like any other with a wrong secret', async () => {
    const secret = 'a-secret-of-this-one-only';
    app = await openTestApp({ env: { ...env, [`AGGREGATOR_${id.toUpperCase()}_SECRET`]: secret } });
    const guess = { 'x-aggregator-secret': 'a-guess' };
    for (const status of [403, 403, 429]) expect(await dial(id, 0, theirs, guess)).toBe(status);
    expect(await dial(id, 0, theirs, { 'x-aggregator-secret': secret })).toBe(200);
  });
});

describe('an address trusted for all', () => {
  it('belongs to each aggregator without addresses, and to none with other addresses', async () => {
    const env = { ...cidrsOf('hubtel'), RATE_LIMIT_TRUSTED_CIDRS: strange, RATE_LIMIT_MAX: '1' };
    app = await openTestApp({ env });
    for (let index = 0; index < 3; index++) expect(await dial('canonical', index, strange)).toBe(200);
    expect([await dial('hubtel', 0, strange), await dial('hubtel', 0, strange)]).toEqual([403, 429]);
  });

  it('has no limit on the other routes, where every other address has one', async () => {
    app = await openTestApp({ env: { RATE_LIMIT_TRUSTED_CIDRS: strange, RATE_LIMIT_MAX: '1' } });
    const statusFrom = async (remoteAddress: string) =>
      (await app.inject({ url: '/unknown', remoteAddress })).statusCode;
    expect([await statusFrom(strange), await statusFrom(strange)]).toEqual([404, 404]);
    expect([await statusFrom('198.51.100.77'), await statusFrom('198.51.100.77')]).toEqual([404, 429]);
  });
});

describe('a start in production', () => {
  const production = {
    NODE_ENV: 'production',
    ALLOW_EMBEDDED: 'true',
    PIN_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    OPERATOR_TOKEN: randomBytes(32).toString('hex'),
    RATE_LIMIT_MAX: '',
  };
  const secret = randomBytes(32).toString('base64url');

  async function warningsOf(env: Record<string, string>): Promise<readonly Record<string, unknown>[]> {
    const lines: string[] = [];
    app = await openTestApp({ env, log: (line) => lines.push(line) });
    return lines.map((line) => JSON.parse(line)).filter(({ variables }) => variables !== undefined);
  }

  it('without any address logs once the missing variables and their meaning', async () => {
    const warnings = await warningsOf(production);
    expect(warnings).toMatchObject([
      {
        level: 40,
        variables: ['AGGREGATOR_CANONICAL_CIDRS'],
        msg: expect.stringMatching(/RATE_LIMIT_TRUSTED_CIDRS: more than 100 requests a minute/),
      },
    ]);
  });

  it('logs only the variables of mounted aggregators', () => {
    const config = readConfig({
      ...production,
      AGGREGATORS: 'hubtel,nalo',
      AGGREGATOR_HUBTEL_SECRET: secret,
      ...cidrsOf('nalo'),
    });
    expect(withoutAddresses(config.aggregators)).toEqual(['AGGREGATOR_HUBTEL_CIDRS']);
  });

  it.each([
    ['addresses of the mounted aggregator', { AGGREGATORS: 'hubtel', ...cidrsOf('hubtel') }],
    ['addresses trusted for all', { RATE_LIMIT_TRUSTED_CIDRS: '192.0.2.0/24' }],
  ])('logs no warning with %s', async (_name, env) => {
    expect(await warningsOf({ ...production, ...env })).toEqual([]);
  });

  it('has a single warning about addresses', async () => {
    expect(await warningsOf({})).toEqual([]);
  });
});
