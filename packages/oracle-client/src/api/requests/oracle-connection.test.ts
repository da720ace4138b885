import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OracleConnection } from './oracle-connection.js';
import { OracleRequestError } from './request-error.js';

/** Answers as the path requests: `/<status>/<body>`. */
let server: Server;
let baseUrl: string;
beforeAll(async () => {
  server = createServer(({ url = '' }, reply) => {
    const [, status, body] = url.split('/');
    if (status === 'never') return;
    const retry = status === '429' ? { 'retry-after': '90' } : {};
    reply.writeHead(Number(status), { 'content-type': 'application/json', ...retry });
    reply.end(decodeURIComponent(body ?? ''));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const connection = () => new OracleConnection(baseUrl, { headers: async () => ({}), refused: () => false });
const failure = async (status: number, body: string) => {
  const thrown = await connection()
    .json(`/${status}/${encodeURIComponent(body)}`)
    .catch((error: unknown) => error);
  if (!(thrown instanceof OracleRequestError)) throw new Error('it did not fail');
  return thrown;
};

describe('a request to an oracle', () => {
  it('returns the JSON of a success', async () => {
    expect(await connection().json(`/200/${encodeURIComponent('{"a":1}')}`)).toEqual({ a: 1 });
  });

  it('fails with the status in the body, before the HTTP status', async () => {
    const error = await failure(500, '{"statusCode":402,"message":"Please pay","claims":["c1"]}');
    expect(error).toMatchObject({ statusCode: 402, message: 'Please pay', claims: ['c1'] });
    expect(await failure(402, '{"outstandingClaims":["c2"]}')).toMatchObject({ statusCode: 402, claims: ['c2'] });
    expect(await failure(404, '{"error":"Not Found"}')).toMatchObject({ statusCode: 404, message: 'Not Found' });
  });

  it('reports when the request may be repeated', async () => {
    const before = Date.now();
    const { retryAt } = await failure(429, '{"statusCode":429}');
    expect(retryAt?.getTime()).toBeGreaterThanOrEqual(before + 90_000);
    expect((await failure(503, '{}')).retryAt).toBeUndefined();
  });

  it.each(['', '<html>', 'null', '"text"', '{"statusCode":"404"}'])(
    'fails with the status of a reply with the body %j',
    async (body) => {
      expect(await failure(503, body)).toMatchObject({
        statusCode: 503,
        message: 'The oracle answered 503',
        claims: [],
      });
    },
  );

  it('fails with its own message for a success that is not JSON', async () => {
    expect(await failure(200, '<html>')).toMatchObject({ message: 'The oracle did not answer with JSON' });
  });

  it('fails with status 0 without a connection', async () => {
    const nobody = new OracleConnection('http://127.0.0.1:1', { headers: async () => ({}), refused: () => false });
    await expect(nobody.json('/')).rejects.toMatchObject({ statusCode: 0, message: 'The oracle could not be reached' });
  });

  it('ends with the reason of its signal', async () => {
    const leaving = new AbortController();
    const waiting = connection().json('/never/', { signal: leaving.signal });
    leaving.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
  });
});
