import type { Reply } from '@mlango/grpc-channel';
import { everythingRegistry } from '@mlango/test-services/descriptors';
import type { HeaderPairs } from '@mlango/transcoder/metadata';
import { describe, expect, it } from 'vitest';
import { buildRouteTable } from '../catalog/routes.js';
import { Cancellation } from '../nodes/cancellation.js';
import type { NodeCall } from '../nodes/chain-node.js';
import type { Answer } from '../query/answer.js';
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

function keeping(limitBytes = 100_000) {
  const kept = new Set<Reply>();
  let found = 0;
  const replies = { isCached: (_key: string, reply: Reply) => kept.has(reply) };
  const answers = createResponseCache(replies, { ttlMs: 6000, limitBytes }, false, () => {
    found += 1;
  });
  const finish = (request: MatchedRequest, body: string | Buffer = '{}', metadata: NodeCall['metadata'] = []) => {
    const reply: Reply = { message: new Uint8Array(), headers: [], trailers: [] };
    kept.add(reply);
    answers.finish(answerOf(body), reply, request, { ...call, metadata });
    return reply;
  };
  return { answers, kept, finish, found: () => found };
}

describe('an answer that is kept', () => {
  it('is given to an equal request, and counted', () => {
    const { answers, finish, found } = keeping();
    finish(requestTo('a=1'), '{"a":1}');
    expect(answers.find(requestTo('a=1'))?.body).toBe('{"a":1}');
    expect(answers.find(requestTo('a=2'))).toBeUndefined();
    const bytes = Buffer.from('{"a":3}');
    finish(requestTo('a=3'), bytes);
    expect(answers.find(requestTo('a=3'))?.body).toBe(bytes);
    expect(answers.find(requestTo('a=1', { rawPath: '/b' }))).toBeUndefined();
    expect(found()).toBe(2);
  });

  it('is never older than the reply it words', () => {
    const { answers, kept, finish } = keeping();
    kept.delete(finish(requestTo('')));
    expect(answers.find(requestTo(''))).toBeUndefined();
  });

  it.each([
    ['Authorization', 'Bearer a'],
    ['Grpc-Metadata-X-User', 'me'],
    ['Grpc-Timeout', '5'],
    ['X-Cosmos-Block-Height', '5'],
    ['If-None-Match', '*'],
  ])('is neither given to nor kept of a request with %s', (name, value) => {
    const { answers, finish } = keeping();
    finish(withHeaders([[name, value]]));
    expect(answers.find(withHeaders([]))).toBeUndefined();
    finish(withHeaders([]));
    expect(answers.find(withHeaders([[name, value]]))).toBeUndefined();
  });

  it('is not one to metadata of the caller’s own, to a body, or to another method', () => {
    const { answers, finish } = keeping();
    finish(requestTo(''), '{}', [['x-user', 'me']]);
    expect(answers.find(requestTo(''))).toBeUndefined();
    finish(requestTo(''));
    expect(answers.find(requestTo('', { body: Uint8Array.of(1) }))).toBeUndefined();
    expect(answers.find(requestTo('', { route: routeOf('PUT') }))).toBeUndefined();
  });

  it('goes when others need the room', () => {
    const { answers, finish } = keeping(20_000);
    for (const query of ['1', '2', '3']) finish(requestTo(query), 'x'.repeat(2000));
    expect(['1', '2', '3'].map((query) => answers.find(requestTo(query)) !== undefined)).toEqual([false, true, true]);
  });
});
