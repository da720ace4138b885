import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp } from '../app.fixture.js';

const forwarded: string[] = [];
let service: Server;
let app: HttpApp;

beforeAll(async () => {
  service = createServer((request, response) => {
    forwarded.push(`${request.method} ${request.url}`);
    response.end('{}');
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  app = await openTestApp(`http://127.0.0.1:${(service.address() as AddressInfo).port}`);
});
afterAll(async () => {
  await app?.close();
  service?.closeAllConnections();
  service?.close();
});

/** Writes a request to a socket byte for byte: every client library would normalise its path. */
function statusOf(method: string, target: string): Promise<number> {
  const { port } = app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`${method} ${target} HTTP/1.1\r\nHost: page\r\nContent-Length: 0\r\n\r\n`, 'latin1');
    });
    socket.on('error', reject).once('data', (chunk) => {
      socket.destroy();
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1'))?.[1]));
    });
  });
}

const operatorPaths = ['metrics', 'usage', 'revocations', 'docs/json', 'health/ready'];

/** Other spellings of a path, each of which some server reads as the path itself. */
const spellings = (prefix: string, path: string): string[] => [
  `${prefix}/${path}`,
  `${prefix}/./${path}`,
  `${prefix}/%2e/${path}`,
  `${prefix}/%2E/${path}`,
  `${prefix}/%252e/${path}`,
  `${prefix}/x/../${path}`,
  `${prefix}/x/%2e%2e/${path}`,
  `${prefix}/x/..%2F${path}`,
  `${prefix}/x%2f..%2f${path}`,
  `${prefix}//${path}`,
  `${prefix}/%2F${path}`,
  `${prefix}/\\${path}`,
  `${prefix}/.\\${path}`,
  `${prefix}/x%5c..%5c${path}`,
  `${prefix}/;/${path}`,
  `${prefix}/.;/${path}`,
  `${prefix}/${path};x`,
  `${prefix}/${path.toUpperCase()}`,
  `${prefix}/%${path.charCodeAt(0).toString(16)}${path.slice(1)}`,
  `${prefix}/%25${path.charCodeAt(0).toString(16)}${path.slice(1)}`,
  `${prefix}/%00/../${path}`,
  `http://page${prefix}/${path}`,
  `http://page${prefix}/./${path}`,
  `/%${prefix.charCodeAt(1).toString(16)}${prefix.slice(2)}/${path}`,
];

describe('a path that is not forwarded', () => {
  it.each(operatorPaths)('is /%s of the query gateway in every spelling', async (path) => {
    forwarded.length = 0;
    const statuses = await Promise.all(spellings('/chain', path).map((target) => statusOf('GET', target)));
    expect(forwarded).toEqual([]);
    expect(statuses.filter((status) => status !== 400 && status !== 404)).toEqual([]);
  });

  it.each(['metrics', 'feedback', 'credits/top-ups', 'credits/claims/process', 'calls/c-1/agent', 'calls/livekit'])(
    'is /%s of the oracle in every spelling',
    async (path) => {
      forwarded.length = 0;
      const statuses = await Promise.all(
        [...spellings('/oracle', path), ...spellings('/oracle/sessions', `../${path}`)].map((target) =>
          statusOf('POST', target),
        ),
      );
      expect(forwarded).toEqual([]);
      expect(statuses.filter((status) => status !== 400 && status !== 404)).toEqual([]);
    },
  );

  it('is a call path with an encoded slash in the id', async () => {
    forwarded.length = 0;
    expect(await statusOf('POST', '/oracle/calls/c-1%2Fagent')).toBe(404);
    expect(forwarded).toEqual([]);
  });
});

it.each([
  ['GET', '/chain/proto/x/ibc%2F27?a=./%2e;b//', '/proto/x/ibc%2F27?a=./%2e;b//'],
  ['GET', '/chain/proto/x/a%2F%2Fb=', '/proto/x/a%2F%2Fb='],
  ['GET', "/chain/proto/x/did:ixo:a-b.c_d~e!$&'()*+,=@", "/proto/x/did:ixo:a-b.c_d~e!$&'()*+,=@"],
  ['POST', '/oracle/calls', '/calls'],
  ['GET', '/oracle/calls?limit=1', '/calls?limit=1'],
  ['DELETE', '/oracle/calls/c-1', '/calls/c-1'],
  ['GET', '/oracle/', '/'],
])('a path in normal form is forwarded as it arrived: %s %s', async (method, target, there) => {
  forwarded.length = 0;
  expect(await statusOf(method, target)).toBe(200);
  expect(forwarded).toEqual([`${method} ${there}`]);
});
