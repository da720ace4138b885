import { fillExamples, type SandboxValues } from '@mlango/service-kit/http-app';
import { type DescribedApi, type FilledInRequest, filledInRequests } from '@mlango/test-services/filled-in-requests';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestOracle, type TestOracle } from '../src/create-test-oracle.js';
import { protocolNames } from '../src/protocols/names.js';

/** Examples that cannot succeed, with their status. */
const otherwise: Readonly<Record<string, number>> = {
  // The server sends no unrequested messages: without an event id there is no stream.
  'GET /mcp': 405,
};

let oracle: TestOracle;
let document: DescribedApi;
beforeAll(async () => {
  oracle = await createTestOracle({ env: { API_KEYS: 'true', DOORS: protocolNames.join() } });
  document = (await oracle.inject('/docs/json')).json<DescribedApi>();
}, 60_000);
afterAll(() => oracle?.close());

const tried = async () => (await oracle.inject({ method: 'POST', url: '/docs/try-as' })).json<SandboxValues>();

/** The description of one operation. */
function onlyWith(api: DescribedApi, operation: string): DescribedApi {
  const [method = '', path = ''] = operation.split(' ');
  const described = api.paths[path]?.[method.toLowerCase()];
  return described === undefined
    ? { ...api, paths: {} }
    : { ...api, paths: { [path]: { [method.toLowerCase()]: described } } };
}

async function answerOf({ method, url, headers, body }: FilledInRequest, { locks }: SandboxValues) {
  const caller = { authorization: `Bearer ${locks['ucan']}`, 'x-auth-type': locks['ucanSelector'] ?? '' };
  const payload = body === undefined ? {} : { payload: body };
  return oracle.inject({ method, url, headers: { ...caller, ...headers }, ...payload });
}

describe('the examples of the API description', () => {
  it('succeed for a new user', { timeout: 120_000 }, async () => {
    const operations = filledInRequests(document).map(({ operation }) => operation);
    expect(operations.length).toBeGreaterThan(55);
    const reader = await tried();
    const wrong: unknown[] = [];
    for (const operation of operations) {
      // Operations with side effects run as separate users.
      const user = operation.startsWith('GET ') ? reader : await tried();
      const shown = fillExamples(structuredClone(onlyWith(document, operation)), user);
      const [request] = filledInRequests(shown);
      if (request === undefined) throw new Error(`not described: ${operation}`);
      const { statusCode, body } = await answerOf(request, user);
      const isExpected = operation in otherwise ? statusCode === otherwise[operation] : statusCode < 300;
      if (isExpected && request.declares(statusCode) && request.missing.length === 0) continue;
      wrong.push({ operation, statusCode, body, missing: request.missing });
    }
    expect(wrong).toEqual([]);
  });
});
