import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EnvError } from '@mlango/service-kit/env';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shippedDescriptions } from '../../src/aggregators/yaml/read.js';
import { readConfig } from '../../src/config.js';
import { call, screens } from '../support/aggregator-calls.js';
import { freshFolder } from '../support/fresh-folder.js';
import { openTestApp } from '../support/test-app.js';

let app: HttpApp | undefined;
let folder: string;
beforeEach(() => {
  folder = freshFolder();
});
afterEach(() => app?.close());

const secret = randomBytes(32).toString('base64url');
const template = readFileSync(join(shippedDescriptions, 'moolre.aggregator.yaml'), 'utf8')
  .replace('name: Moolre', 'name: Duka')
  .replaceAll('AGGREGATOR_MOOLRE_', 'AGGREGATOR_DUKA_');
const dial = { sessionid: 's', new: true, msisdn: '233544919953', network: 3, message: '', extension: 109, data: '' };

/** Describes `duka` with other lines under `verify`. */
function describeDuka(verify = '  secret: AGGREGATOR_DUKA_SECRET\n  addresses: AGGREGATOR_DUKA_CIDRS') {
  const text = template.replace(/^verify:\n(?: .*\n)+/m, `verify:\n${verify}\n`);
  writeFileSync(join(folder, 'duka.aggregator.yaml'), text);
}

const problemsOf = (env: Record<string, string>) => {
  try {
    readConfig({ FLOWS_DIR: folder, ...env });
    return [];
  } catch (error) {
    if (error instanceof EnvError) return error.problems;
    throw error;
  }
};

describe('an aggregator described in the folder of flows', () => {
  it('is served, and described in the API', async () => {
    describeDuka();
    app = await openTestApp({ env: { FLOWS_DIR: folder, AGGREGATORS: 'duka' } });
    const reply = await call(app, { url: '/api/ussd/duka', json: dial });
    expect(JSON.parse(reply.text)).toEqual({ message: screens.welcome, reply: true });
    const { paths } = (await app.inject('/docs/json')).json();
    expect(Object.keys(paths['/api/ussd/duka'])).toEqual(['post']);
    expect(JSON.stringify(paths['/api/ussd/duka'])).toContain('One hop, as Duka sends it');
    const settings = (await app.inject('/api/ussd/debug/s')).json();
    expect(settings.debugInfo.state).toBe('preMenu');
  });

  it('is read from a form, from JSON and from plain text, with its fields in any case', async () => {
    const text = `name: Duka
method: PUT
path: /api/ussd/duka/hops
body: form
text: accumulated
request: { session: session_id, phone: msisdn, serviceCode: service_code, input: ussd_string }
reply: { prefix: { continue: '1|', close: '0|' } }
verify: { addresses: AGGREGATOR_DUKA_CIDRS }
example: { session_id: '70381', msisdn: '254711000001', service_code: '123', ussd_string: '' }
`;
    writeFileSync(join(folder, 'duka.aggregator.yaml'), text);
    app = await openTestApp({ env: { FLOWS_DIR: folder } });
    const url = '/api/ussd/duka/hops';
    const fields = { session_id: '70381', msisdn: '254711000001', service_code: '123' };
    const form = { ...fields, ussd_string: '' };
    expect((await call(app, { method: 'PUT', url, form })).text).toBe(`1|${screens.welcome}`);
    const json = { ...fields, SESSION_ID: 'ignored', USSD_STRING: 1 };
    expect((await call(app, { method: 'PUT', url, json })).text).toBe(`1|${screens.information}`);
    const plain = `\uFEFF${new URLSearchParams({ ...fields, ussd_string: '1**' }).toString()}`;
    const reply = await call(app, { method: 'PUT', url, form: plain, headers: { 'content-type': 'Text/Plain' } });
    expect(reply.text).toBe(`0|${screens.goodbye}`);
    expect((await call(app, { method: 'PUT', url: `${url}/`, form })).text).toBe(`1|${screens.welcome}`);
    expect((await call(app, { method: 'POST', url, form })).status).toBe(404);
  });

  it('is not served if AGGREGATORS lacks it', async () => {
    describeDuka();
    app = await openTestApp({ env: { FLOWS_DIR: folder, AGGREGATORS: 'moolre' } });
    expect((await call(app, { url: '/api/ussd/duka', json: dial })).status).toBe(404);
    expect((await call(app, { url: '/api/ussd/moolre', json: dial })).status).toBe(200);
  });

  it('is enabled by its name in AGGREGATORS, and is listed in the error for an unknown name', () => {
    describeDuka();
    expect(problemsOf({ AGGREGATORS: 'duka' })).toEqual([]);
    expect(problemsOf({ AGGREGATORS: 'dukas' })).toEqual([
      {
        variable: 'AGGREGATORS',
        message: expect.stringMatching(/^must be .*nalo, duka; .*<id>\.aggregator\.yaml in FLOWS_DIR$/),
      },
    ]);
  });

  it('does not start with an unsound description, and the error names file, line and field', () => {
    describeDuka('  header: X-Api-Key');
    const text = readFileSync(join(folder, 'duka.aggregator.yaml'), 'utf8');
    const line = text.split('\n').indexOf('  header: X-Api-Key') + 1;
    expect(problemsOf({})).toContainEqual({
      variable: 'FLOWS_DIR',
      message: expect.stringMatching(new RegExp(`/duka\\.aggregator\\.yaml:${line} verify\\.header: needs secret`)),
    });
  });
});

describe('callers of a described aggregator', () => {
  const statusOf = async (request: object = {}) =>
    app === undefined ? 0 : (await call(app, { url: '/api/ussd/duka', json: dial, ...request })).status;

  it('present the secret of its variable only in the header that it names', async () => {
    describeDuka('  secret: AGGREGATOR_DUKA_SECRET\n  header: X-Duka-Key');
    const lines: string[] = [];
    const env = { FLOWS_DIR: folder, AGGREGATOR_DUKA_SECRET: secret };
    app = await openTestApp({ env, log: (line) => lines.push(line) });
    expect(await statusOf({ headers: { 'x-duka-key': secret } })).toBe(200);
    expect(await statusOf({ headers: { 'x-duka-key': `${secret}x` } })).toBe(403);
    expect(await statusOf({ headers: { 'x-aggregator-secret': secret } })).toBe(403);
    expect(await statusOf({ url: `/api/ussd/duka?secret=${secret}` })).toBe(403);
    expect(await statusOf()).toBe(403);
    expect(lines.join('')).not.toContain(secret);
  });

  it('present it in the parameter that it names', async () => {
    describeDuka('  secret: AGGREGATOR_DUKA_SECRET\n  parameter: access');
    const lines: string[] = [];
    const env = { FLOWS_DIR: folder, AGGREGATOR_DUKA_SECRET: secret };
    app = await openTestApp({ env, log: (line) => lines.push(line) });
    expect(await statusOf({ url: `/api/ussd/duka?access=${secret}` })).toBe(200);
    expect(await statusOf({ url: `/api/ussd/duka?access=${secret}&access=${secret}` })).toBe(403);
    expect(await statusOf({ url: `/api/ussd/duka?secret=${secret}` })).toBe(403);
    expect(await statusOf({ headers: { 'x-aggregator-secret': secret } })).toBe(403);
    expect(lines.join('')).not.toContain(secret);
  });

  it('present a secret from a file', async () => {
    describeDuka();
    writeFileSync(join(folder, 'secret'), `${secret}\n`);
    app = await openTestApp({ env: { FLOWS_DIR: folder, AGGREGATOR_DUKA_SECRET_FILE: join(folder, 'secret') } });
    expect(await statusOf({ headers: { 'x-aggregator-secret': secret } })).toBe(200);
    expect(await statusOf({ url: `/api/ussd/duka?secret=${secret}` })).toBe(200);
    expect(await statusOf()).toBe(403);
  });

  it('call from the addresses of the variable that it names', async () => {
    describeDuka('  addresses: AGGREGATOR_GHANA_CIDRS');
    app = await openTestApp({ env: { FLOWS_DIR: folder, AGGREGATOR_GHANA_CIDRS: '192.0.2.0/24' } });
    expect(await statusOf({ remoteAddress: '192.0.2.7' })).toBe(200);
    expect(await statusOf({ remoteAddress: '198.51.100.1' })).toBe(403);
  });

  it.each([
    [
      'secret: AGGREGATOR_DUKA_SECRET\n  addresses: AGGREGATOR_DUKA_CIDRS',
      'AGGREGATOR_DUKA_SECRET',
      ' (or AGGREGATOR_DUKA_CIDRS)',
    ],
    ['secret: AGGREGATOR_DUKA_SECRET', 'AGGREGATOR_DUKA_SECRET', ''],
    ['addresses: AGGREGATOR_DUKA_CIDRS', 'AGGREGATOR_DUKA_CIDRS', ''],
  ])('are verified in production: %s', (verify, variable, or) => {
    describeDuka(`  ${verify}`);
    const production = {
      NODE_ENV: 'production',
      ALLOW_EMBEDDED: 'true',
      PIN_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      OPERATOR_TOKEN: randomBytes(32).toString('hex'),
      AGGREGATORS: 'duka',
    };
    expect(problemsOf(production)).toEqual([
      { variable, message: `is required in production while AGGREGATORS has duka${or}` },
    ]);
    const value = variable.endsWith('SECRET') ? secret : '192.0.2.0/24';
    expect(problemsOf({ ...production, [variable]: value })).toEqual([]);
  });

  it('need a secret of at least 16 characters', () => {
    describeDuka();
    expect(problemsOf({ AGGREGATOR_DUKA_SECRET: 'short' })).toMatchObject([{ variable: 'AGGREGATOR_DUKA_SECRET' }]);
  });
});
