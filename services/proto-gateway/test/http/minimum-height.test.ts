import type { Channel } from '@mlango/grpc-channel';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/gateway-on-node.js';
import { connect, grpcWeb, NO_MESSAGE, PARAMS as RPC } from '../support/protocol-request.js';
import { poolOver, type TestAppOptions, testApp } from '../support/test-app.js';

const HEIGHT = 'x-cosmos-block-height';
const MINIMUM = 'x-min-block-height';
const PARAMS = '/proto/token/params';
const cache = { ttlMs: 60_000, limitBytes: 1_000_000 };

/** A chain that makes a block when the test calls for one. */
function chain() {
  let [block, calls] = [100, 0];
  const shown: string[] = [];
  const channel: Channel = {
    async unary(_path, _request, { metadata = [] } = {}) {
      calls += 1;
      shown.push(...metadata.map(([name]) => name));
      const at = metadata.find(([name]) => name === HEIGHT)?.[1] ?? String(block);
      return { message: new Uint8Array(), headers: [[HEIGHT, at]], trailers: [] };
    },
    stream() {
      throw new Error('unexpected call');
    },
    close() {},
  };
  return {
    channel,
    shown,
    calls: () => calls,
    newBlock: () => {
      block += 1;
    },
  };
}

async function withChain(
  options: TestAppOptions,
  use: (app: HttpApp, made: ReturnType<typeof chain>) => Promise<void>,
): Promise<void> {
  const made = chain();
  const app = await testApp(
    poolOver(() => made.channel),
    options,
  );
  try {
    // The first answer makes its height known.
    expect((await app.inject(PARAMS)).headers[HEIGHT]).toBe('100');
    await use(app, made);
  } finally {
    await app.close();
  }
}

const atLeast = (app: HttpApp, minimum: string, more: Record<string, string> = {}, url = PARAMS) =>
  app.inject({ url, headers: { [MINIMUM]: minimum, ...more } });
/** A caller with this deadline does not wait for the next block. */
const HASTE = { 'grpc-timeout': '50m' };

describe('a minimum height', () => {
  it('is met by the answer, and is not forwarded', () =>
    withChain({}, async (app, { shown }) => {
      for (const minimum of ['0', '99', '100']) {
        const reply = await atLeast(app, minimum);
        expect([reply.statusCode, reply.headers[HEIGHT]]).toEqual([200, '100']);
      }
      expect((await connect('{}', { [MINIMUM]: '100' }, RPC, app)).status).toBe(200);
      expect(shown.filter((name) => name.includes('min-block'))).toEqual([]);
    }));

  it('is 503 with a retry while no node has it, in routes, batches and other protocols', () =>
    withChain({ cache }, async (app) => {
      const reply = await atLeast(app, '101', HASTE);
      const message = 'No node here is known to have height 101 yet';
      expect(expectError(reply, 503, 14)).toBe(message);
      expect(reply.headers['retry-after']).toBe('1');
      const headers = { [MINIMUM]: '101', ...HASTE };
      const batch = await app.inject({ method: 'POST', url: '/proto/batch', headers, payload: { paths: [PARAMS] } });
      expect(batch.json().replies[0]).toMatchObject({ status: 503, body: { code: 14, message } });
      const later = { headers: { 'retry-after': '1' }, message };
      const inConnect = { [MINIMUM]: '101', 'connect-timeout-ms': '50' };
      expect(await connect('{}', inConnect, RPC, app)).toMatchObject({ ...later, status: 503, code: 'unavailable' });
      expect(await grpcWeb(NO_MESSAGE, headers, RPC, app)).toMatchObject({ ...later, code: 14 });
    }));

  it('is requested from the node if the cached reply is older, else taken from the cache', () =>
    withChain({ cache }, async (app, { newBlock, calls }) => {
      newBlock();
      expect((await atLeast(app, '100')).headers[HEIGHT]).toBe('100');
      expect(calls()).toBe(1);
      // An answer to another query makes the new block known.
      await app.inject(`${PARAMS}?height=101`);
      const newer = await atLeast(app, '101');
      expect([newer.statusCode, newer.headers[HEIGHT], newer.headers['vary']]).toEqual([
        200,
        '101',
        `${HEIGHT}, ${MINIMUM}`,
      ]);
      expect(calls()).toBe(3);
      expect((await app.inject(PARAMS)).headers[HEIGHT]).toBe('101');
      expect((await atLeast(app, '101')).headers[HEIGHT]).toBe('101');
      expect(calls()).toBe(3);
    }));

  it('is ignored with a block height', () =>
    withChain({ cache }, async (app) => {
      for (const reply of [
        await atLeast(app, '500', {}, `${PARAMS}?height=7`),
        await atLeast(app, '500', { [HEIGHT]: '7' }),
      ]) {
        expect([reply.statusCode, reply.headers[HEIGHT]]).toEqual([200, '7']);
      }
      expect((await connect('{}', { [MINIMUM]: '500', [HEIGHT]: '7' }, RPC, app)).headers[HEIGHT]).toBe('7');
    }));

  it.each(['-1', '1e3', '0x10', 'latest', '', '1234567890123456789'])('is 400 as %j', (minimum) =>
    withChain({}, async (app) => {
      expectError(await atLeast(app, minimum), 400, 3);
      const headers = { [MINIMUM]: minimum };
      expect(await connect('{}', headers, RPC, app)).toMatchObject({ status: 400, code: 'invalid_argument' });
    }),
  );
});
