import type { NodeReport } from '@mlango/grpc-channel';
import { type Channel, createChannel } from '@mlango/grpc-channel';
import { afterAll, expect, it } from 'vitest';
import { blockHeights } from '../../src/nodes/block-positions.js';
import { nodeOverChannel } from '../../src/nodes/chain-node.js';
import { testApp } from '../support/test-app.js';

const TARGETS = ['first:1', 'second:1'];
const PARAMS = '/proto/token/params';

/** Two nodes that reply alike; those in `down` are unreachable. */
function twoNodes(down: ReadonlySet<string>) {
  const reply = { message: new Uint8Array(), headers: [['x-cosmos-block-height', '7'] as const], trailers: [] };
  const channel = createChannel({
    targets: TARGETS,
    open: ({ target, onOutage }): Channel => {
      if (down.has(target)) setImmediate(() => onOutage?.({ problem: 'refused', reason: 'refused' }));
      return {
        unary: async () => reply,
        stream: () => {
          throw new Error('unused');
        },
        close() {},
      };
    },
    probe: async () => ({}),
    positions: blockHeights(3),
  });
  const indexOf = (target: string) => channel.nodes().findIndex((node: NodeReport) => node.target === target);
  return { node: nodeOverChannel(channel), exposeNode: indexOf };
}

const apps: { close(): Promise<unknown> }[] = [];
afterAll(() => Promise.all(apps.map((app) => app.close())));

async function appOver(down: readonly string[], options: object = {}) {
  const { node, exposeNode } = twoNodes(new Set(down));
  const app = await testApp(node, { exposeNode, ...options });
  apps.push(app);
  await new Promise((resolve) => setImmediate(resolve));
  return app;
}

it.each([
  ['first:1', '1'],
  ['second:1', '0'],
])('names the index of the node that replied while %s is unreachable', async (down, index) => {
  const app = await appOver([down]);
  const { headers } = await app.inject(PARAMS);
  expect(headers['x-node']).toBe(index);
});

it('names the cache for a cached reply, and for a reply written in another form', async () => {
  const app = await appOver(['first:1'], { cache: { ttlMs: 60_000, limitBytes: 1_000_000 } });
  const nodes: unknown[] = [];
  for (const url of [PARAMS, PARAMS, `${PARAMS}?json=camel`]) nodes.push((await app.inject(url)).headers['x-node']);
  expect(nodes).toEqual(['1', 'cache', 'cache']);
});

it('names the node of each item of a batch', async () => {
  const app = await appOver(['first:1']);
  const reply = await app.inject({
    method: 'POST',
    url: '/proto/batch',
    payload: { paths: [PARAMS, '/proto/nowhere'] },
  });
  const { replies } = reply.json<{ replies: { node?: string }[] }>();
  expect(replies.map(({ node }) => node)).toEqual(['1', undefined]);
  expect(reply.headers['x-node']).toBeUndefined();
});

it('names no node unless it is set', async () => {
  const app = await appOver([], { exposeNode: undefined });
  expect((await app.inject(PARAMS)).headers['x-node']).toBeUndefined();
});
