import { everythingRegistry } from '@mlango/test-services/descriptors';
import type { HeaderPairs } from '@mlango/transcoder/metadata';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../answers/answer.js';
import { buildRouteTable } from '../catalog/routes.js';
import { Cancellation } from '../nodes/cancellation.js';
import type { NodeCall } from '../nodes/chain-node.js';
import type { MatchedRequest } from '../query/read-call.js';
import { createResponseCache } from './response.js';

const prefixes = { current: 'proto', legacy: [] };
const { routes } = buildRouteTable(everythingRegistry(), { prefixes, disabled: [] });
const routeOf = (method: string) => {
  const route = routes.find((one) => one.method === method);
  if (route === undefined) throw new Error(`no ${method} here`);
  return route;
};

const requestTo = (rawQuery: string, more: Partial<MatchedRequest> = {}): MatchedRequest => {
  const route = routeOf('GET');
  const plain = { values: [], rawPath: '/a', headers: [['Accept', '*/*']], body: new Uint8Array(), callerAddress: '' };
  return { route, rawQuery, ...plain, ...more } as MatchedRequest;
};
const withHeaders = (headers: HeaderPairs) => requestTo('', { headers });
const call: NodeCall = {
  path: '/a.b/C',
  request: new Uint8Array(),
  metadata: [],
  timeoutMs: 1000,
  signal: new Cancellation(),
};
const answerOf = (body: string | Buffer): Answer => ({
  status: 200,
  contentType: 'a/b',
  headers: new Map(),
  body,
  code: 0,
});

function caching(limitBytes = 100_000) {
  const cached = new Set<number | undefined>();
  let found = 0;
  const replies = { isCurrent: (_key: string, id: number | undefined) => cached.has(id) };
  const answers = createResponseCache(replies, { ttlMs: 6000, limitBytes, isGated: false, exposesNode: false }, () => {
    found += 1;
  });
  const finish = (request: MatchedRequest, body: string | Buffer = '{}', metadata: NodeCall['metadata'] = []) => {
    const id = cached.size + 1;
    const reply = { message: new Uint8Array(), headers: [], trailers: [], id };
    cached.add(id);
    answers.finish(answerOf(body), reply, request, { ...call, metadata });
    return id;
  };
  return { answers, cached, finish, found: () => found };
}

describe('a cached answer', () => {
  it('answers an equal request and is counted', () => {
    const { answers, finish, found } = caching();
    finish(requestTo('a=1'), '{"a":1}');
    expect(answers.find(requestTo('a=1'))?.body).toBe('{"a":1}');
    expect(answers.find(requestTo('a=2'))).toBeUndefined();
    const bytes = Buffer.from('{"a":3}');
    finish(requestTo('a=3'), bytes);
    expect(answers.find(requestTo('a=3'))?.body).toBe(bytes);
    expect(answers.find(requestTo('a=1', { rawPath: '/b' }))).toBeUndefined();
    expect(found()).toBe(2);
  });

  it('is not older than its reply', () => {
    const { answers, cached, finish } = caching();
    cached.delete(finish(requestTo('')));
    expect(answers.find(requestTo(''))).toBeUndefined();
  });

  it.each([
    ['Authorization', 'Bearer a'],
    ['Grpc-Metadata-X-User', 'me'],
    ['Grpc-Timeout', '5'],
    ['X-Cosmos-Block-Height', '5'],
    ['If-None-Match', '*'],
  ])('is neither used for nor made from a request with %s', (name, value) => {
    const { answers, finish } = caching();
    finish(withHeaders([[name, value]]));
    expect(answers.find(withHeaders([]))).toBeUndefined();
    finish(withHeaders([]));
    expect(answers.find(withHeaders([[name, value]]))).toBeUndefined();
  });

  it('needs a GET without a body and without metadata of the caller', () => {
    const { answers, finish } = caching();
    finish(requestTo(''), '{}', [['x-user', 'me']]);
    expect(answers.find(requestTo(''))).toBeUndefined();
    finish(requestTo(''));
    expect(answers.find(requestTo('', { body: Uint8Array.of(1) }))).toBeUndefined();
    expect(answers.find(requestTo('', { route: routeOf('PUT') }))).toBeUndefined();
  });

  it('is evicted when the size is exceeded', () => {
    const { answers, finish } = caching(20_000);
    for (const query of ['1', '2', '3']) finish(requestTo(query), 'x'.repeat(2000));
    expect(['1', '2', '3'].map((query) => answers.find(requestTo(query)) !== undefined)).toEqual([false, true, true]);
  });
});
