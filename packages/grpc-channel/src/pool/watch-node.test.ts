import { afterEach, expect, it, vi } from 'vitest';
import { patient } from '../../test/meet-peer.js';
import { createChannel } from '../create-channel.js';
import { GRPC_CODES } from '../grpc-code.js';
import { NodeFailure } from '../node-failure.js';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

it('a node with late health checks keeps its connection while it answers calls', async () => {
  let looks = 0;
  const reconnect = vi.fn();
  const channel = createChannel({
    targets: ['127.0.0.1:1'],
    keepalive: { afterMs: 400, timeoutMs: 400 },
    watch: { everyMs: 10, timeoutMs: 8 },
    open: () => ({
      unary: async (path, _, { timeoutMs = 0 } = {}) => {
        if (path === '/call') return { message: new Uint8Array(), headers: [], trailers: [] };
        looks += 1;
        await new Promise((resolve) => setTimeout(resolve, timeoutMs));
        throw new NodeFailure(GRPC_CODES.deadlineExceeded, 'the time is over', { fromTransport: true });
      },
      stream: () => {
        throw new Error('no streams here');
      },
      reconnect,
      close() {},
    }),
    probe: async (node, timeoutMs) => {
      await node.unary('/look', new Uint8Array(), { timeoutMs });
      return {};
    },
  });
  closing.push(() => channel.close());
  // Far more checks than a dead connection would leave unanswered.
  await vi.waitFor(
    async () => {
      await channel.unary('/call', new Uint8Array());
      expect(looks).toBeGreaterThan(120);
    },
    { timeout: 20_000, interval: 3 },
  );
  expect(reconnect).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(reconnect).toHaveBeenCalled(), patient);
});
