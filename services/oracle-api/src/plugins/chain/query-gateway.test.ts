import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { QueryGateway } from './query-gateway.js';

describe('a request to the query gateway', () => {
  let server: Server;
  let url: string;
  let handle: RequestListener = () => undefined;
  beforeEach(async () => {
    server = createServer((request, response) => handle(request, response));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const queryGateway = (path = ['proto', 'token', 'params'], signal = new AbortController().signal) =>
    new QueryGateway({ url, apiKey: 'a-key-of-this-oracle', limitMs: 300, limitBytes: 1_000 }).query(path, signal);
  const answers = (status: number, body: string, headers: Record<string, string> = {}) => {
    handle = (_, response) => response.writeHead(status, headers).end(body);
  };

  it('sends the API key and the deadline, with ids that cannot change the path', async () => {
    let seen: unknown;
    handle = ({ url: path, headers }, response) => {
      seen = { path, key: headers['x-api-key'], timeout: headers['grpc-timeout'] };
      response.end('{"a":1}');
    };
    expect(await queryGateway(['proto', 'entity', '../x?y#z'])).toEqual({ kind: 'answer', value: { a: 1 } });
    expect(seen).toEqual({ path: '/proto/entity/..%2Fx%3Fy%23z', key: 'a-key-of-this-oracle', timeout: '300m' });
    for (const id of ['.', '..', '', '\ud800'])
      expect(await queryGateway(['proto', 'entity', id])).toEqual({ kind: 'absent' });
  });

  it.each([
    [404, '{"code":5,"message":"entity not found"}', { kind: 'absent' }],
    [400, '{"code":3,"message":"id is no DID"}', { kind: 'refused', problem: 'id is no DID' }],
    [429, '{"code":8,"message":"slow down"}', { kind: 'busy' }],
  ])('fails on status %i with the reason: %s', async (status, body, expected) => {
    answers(status, body);
    expect(await queryGateway()).toEqual(expected);
  });

  it.each([
    [404, '{"code":5,"message":"No route for this path."}'],
    [404, '<html>'],
    [200, '<html>'],
    [401, '{"code":16,"message":"who are you"}'],
    [500, '{"code":13,"message":"internal"}'],
    [503, ''],
  ])('treats %i %s as no statement about the chain', async (status, body) => {
    answers(status, body);
    expect(await queryGateway()).toMatchObject({ kind: 'unavailable' });
  });

  it('does not follow a redirect', async () => {
    let asked = 0;
    handle = (_, response) => {
      asked += 1;
      response.writeHead(302, { location: `${url}elsewhere` }).end();
    };
    expect(await queryGateway()).toMatchObject({ kind: 'unavailable' });
    expect(asked).toBe(1);
  });

  it('reads no more than its limit', async () => {
    answers(200, JSON.stringify({ a: 'x'.repeat(2_000) }));
    expect(await queryGateway()).toEqual({ kind: 'too_large' });
  });

  it('ends at its time limit, for the first byte and for the last', async () => {
    handle = () => undefined;
    expect(await queryGateway()).toMatchObject({ kind: 'unavailable' });
    handle = (_, response) => response.writeHead(200).write('{"a":');
    expect(await queryGateway()).toMatchObject({ kind: 'unavailable' });
  });

  it('ends with the turn', async () => {
    const turn = new AbortController();
    handle = () => turn.abort(new Error('stopped'));
    await expect(queryGateway(undefined, turn.signal)).rejects.toThrow('stopped');
  });

  it('reports an unreachable gateway', async () => {
    server.close();
    server.closeAllConnections();
    expect(await queryGateway()).toMatchObject({ kind: 'unavailable' });
  });
});
