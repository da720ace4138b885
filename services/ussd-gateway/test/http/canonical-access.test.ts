import { randomBytes } from 'node:crypto';
import { EnvError } from '@mlango/service-kit/env';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { openTestApp, sendHop } from '../support/test-app.js';

let app: HttpApp | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const production = {
  NODE_ENV: 'production',
  ALLOW_EMBEDDED: 'true',
  PIN_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
  OPERATOR_TOKEN: randomBytes(32).toString('hex'),
};
const webhookSecret = `whsec_${randomBytes(24).toString('base64')}`;
/** Each setting that gives a phone number access to more than menus. */
const access = {
  ORACLE_URL: 'https://oracle.example',
  WEBHOOKS: `money: { url: "https://pay.example/ussd", secret: "${webhookSecret}" }`,
  MESSAGES: 'provider: africastalking\nusername: shop\napiKey: an api key of theirs',
};
const settings = Object.entries(access).map(([name, value]) => ({ name, env: { ...production, [name]: value } }));

const problemsOf = (source: Record<string, string>) => {
  try {
    readConfig(source);
    return [];
  } catch (error) {
    if (error instanceof EnvError) return error.problems;
    throw error;
  }
};

describe('the canonical endpoint in production', () => {
  it.each(settings)('does not start without a secret and addresses if $name is set', ({ name, env }) => {
    expect(problemsOf(env)).toEqual([
      {
        variable: 'AGGREGATOR_CANONICAL_SECRET',
        message: expect.stringMatching(new RegExp(`${name}.*AGGREGATOR_CANONICAL_CIDRS.*AGGREGATOR_CANONICAL_OPEN=on`)),
      },
    ]);
  });

  it.each(settings)('starts with either, or with an explicit setting that it is open, if $name is set', ({ env }) => {
    const remedies = {
      AGGREGATOR_CANONICAL_SECRET: randomBytes(32).toString('base64url'),
      AGGREGATOR_CANONICAL_CIDRS: '192.0.2.0/24',
      AGGREGATOR_CANONICAL_OPEN: 'on',
      // Not mounted.
      AGGREGATORS: 'hubtel',
    };
    for (const [variable, value] of Object.entries(remedies))
      expect(problemsOf({ ...env, [variable]: value, AGGREGATOR_HUBTEL_CIDRS: '192.0.2.0/24' }), variable).toEqual([]);
  });

  it('if declared open opens no other endpoint', () => {
    const env = { ...production, ORACLE_URL: access.ORACLE_URL, AGGREGATORS: 'canonical,hubtel' };
    expect(problemsOf({ ...env, AGGREGATOR_CANONICAL_OPEN: 'on' })).toMatchObject([
      { variable: 'AGGREGATOR_HUBTEL_SECRET' },
    ]);
  });

  async function warningsOf(env: Record<string, string>) {
    const lines: string[] = [];
    app = await openTestApp({ env, log: (line) => lines.push(line) });
    return lines.map((line) => JSON.parse(line)).filter(({ msg }) => /canonical endpoint .* is open/.test(msg));
  }

  it('starts open with menus only, with one warning', async () => {
    expect(await warningsOf(production)).toMatchObject([
      { level: 40, msg: expect.stringContaining('AGGREGATOR_CANONICAL_CIDRS') },
    ]);
  });

  it('has no warning with addresses, or if another one is mounted instead', async () => {
    expect(await warningsOf({ ...production, AGGREGATOR_CANONICAL_CIDRS: '192.0.2.0/24' })).toEqual([]);
    await app?.close();
    const hubtel = { AGGREGATORS: 'hubtel', AGGREGATOR_HUBTEL_CIDRS: '192.0.2.0/24' };
    expect(await warningsOf({ ...production, ...hubtel })).toEqual([]);
  });
});

describe('the canonical endpoint in development', () => {
  it('is open without authentication, for any access by phone number', async () => {
    expect(problemsOf(access)).toEqual([]);
    app = await openTestApp({ env: { MESSAGES: access.MESSAGES } });
    expect((await sendHop(app, '')).status).toBe(200);
  });
});
