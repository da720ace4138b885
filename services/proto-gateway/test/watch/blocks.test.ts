import { type MockNode, startMockNode } from '@mlango/mock-node/server';
import { afterEach, describe, expect, it } from 'vitest';
import { BlockFeed } from '../../src/watch/block-feed.js';
import { configuredApp } from '../support/configured-app.js';
import { readEvents } from '../support/event-reader.js';
import { expectError } from '../support/gateway-on-node.js';
import { watchedGateway } from '../support/watched-gateway.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const BLOCK_MS = 6000;
const GENESIS_MS = Date.UTC(2024, 0, 1);
const block = (height: number, time: string | null) => ({
  id: String(height),
  event: 'message',
  data: { height: String(height), time, chain_id: 'mlango-mock-1' },
});
const timeOf = (height: number) => new Date(GENESIS_MS + (height - 1) * BLOCK_MS).toISOString();

/** The configured gateway over a node with a clock that the test sets. */
async function wholeGateway() {
  let nowMs = GENESIS_MS + 9 * BLOCK_MS;
  const node: MockNode = await startMockNode({ clock: () => nowMs });
  closers.push(() => node.close());
  const app = await configuredApp({ GRPC_TARGETS: node.address });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  closers.push(() => app.close());
  // Before its first probe of the node a gateway reports it as unavailable.
  await expect.poll(async () => (await app.inject('/proto/blocks')).json().chain_id).toBe('mlango-mock-1');
  return {
    node,
    app,
    url,
    makeBlocks: (count: number) => {
      nowMs += count * BLOCK_MS;
    },
  };
}

describe('new blocks', () => {
  it.each(['/proto/blocks', '/proto/watch'])('are read at %s, by no method but GET', async (url) => {
    const { app } = await wholeGateway();
    const refused = await app.inject({ method: 'POST', url });
    expect(expectError(refused, 501, 12)).toBe('POST is not served on this path. Served are GET, HEAD, OPTIONS.');
    expect(refused.headers['allow']).toBe('GET, HEAD, OPTIONS');
  });

  it('are sent once each, in order, with time and chain, and missed ones on reconnect', async () => {
    const { app, url, makeBlocks } = await wholeGateway();
    const newest = await app.inject('/proto/blocks');
    expect(newest.json()).toEqual(block(10, timeOf(10)).data);
    const events = await readEvents(`${url}/proto/blocks?watch=1`);
    expect(await events.next()).toEqual(block(10, timeOf(10)));
    makeBlocks(1);
    expect(await events.next()).toEqual(block(11, timeOf(11)));
    makeBlocks(3);
    // Blocks between two probes have no time.
    for (const height of [12, 13]) expect(await events.next()).toEqual(block(height, null));
    expect(await events.next()).toEqual(block(14, timeOf(14)));
    const repeated = await readEvents(`${url}/proto/blocks?watch=1`, { 'last-event-id': '12' });
    expect([await repeated.next(), await repeated.next()]).toEqual([block(13, null), block(14, timeOf(14))]);
    for (const each of [events, repeated]) each.close();
  });

  it('change the answers of a real node, which is called once per block', async () => {
    const { node, url, makeBlocks } = await wholeGateway();
    const latest = `${url}/cosmos/base/node/v1beta1/status?watch=1&fields=height`;
    const all = await Promise.all(Array.from({ length: 5 }, () => readEvents(latest)));
    for (const events of all) expect(await events.next()).toMatchObject({ id: '10', data: { height: '10' } });
    const quiet = await readEvents(`${url}/proto/token/params?watch=1`);
    await quiet.next();
    const params = '/ixo.token.v1beta1.Query/Params';
    expect(node.callsOf(params)).toBe(1);
    makeBlocks(1);
    for (const events of all) expect(await events.next()).toMatchObject({ id: '11', data: { height: '11' } });
    await expect.poll(() => node.callsOf(params)).toBe(2);
    for (const each of [...all, quiet]) each.close();
  });

  it('are unknown before the first height of a node', async () => {
    const { app } = await watchedGateway();
    closers.push(() => app.close());
    expect((await app.inject('/proto/blocks')).json()).toMatchObject({ height: '100', chain_id: null });
    expectError(await app.inject('/proto/blocks?watch=1&from=x'), 400, 3);
    const waiting = await watchedGateway({ watch: undefined });
    closers.push(() => waiting.app.close());
    expectError(await waiting.app.inject('/proto/blocks'), 404, 5);
  });
});

describe('the feed of blocks', () => {
  const look = (height: number | null, reachable = true) => ({
    reachable,
    height: height === null ? null : String(height),
    blockSeconds: height,
  });
  function feed() {
    const blocks = new BlockFeed();
    const reported: (number | boolean)[] = [];
    blocks.onBlock.add(({ height }) => reported.push(height));
    blocks.onAvailability.add((isUnavailable) => reported.push(isUnavailable));
    return { blocks, reported };
  }

  it('follows the highest node, and is unavailable after two failed probes of all', () => {
    const { blocks, reported } = feed();
    const [one, other] = [{}, {}];
    blocks.report(one, look(5));
    blocks.report(other, look(4));
    blocks.report(other, look(7));
    blocks.report(one, look(6));
    for (const node of [one, one, other]) blocks.report(node, look(null, false));
    expect(reported).toEqual([false, 5, 6, 7]);
    blocks.report(other, look(null, false));
    blocks.report(one, look(7));
    blocks.report(one, look(8));
    expect(reported.slice(4)).toEqual([true, false, 8]);
  });

  it('ignores a removed node, even if a probe ends later', () => {
    const { blocks, reported } = feed();
    const [left, stays] = [{}, {}];
    blocks.report(left, look(5));
    blocks.report(stays, look(5));
    for (let count = 0; count < 2; count += 1) blocks.report(stays, look(null, false));
    blocks.forget(left);
    blocks.report(left, look(9));
    expect(reported).toEqual([false, 5, true]);
  });

  it('skips a long gap, and has a history of a hundred blocks', () => {
    const { blocks, reported } = feed();
    blocks.report(blocks, look(10));
    blocks.report(blocks, look(1010));
    expect(reported).toEqual([false, 10, 1010]);
    expect(blocks.above(900)).toHaveLength(1);
    for (let height = 1011; height <= 1200; height += 1) blocks.report(blocks, look(height));
    expect(blocks.above(1100).map(({ height }) => height)).toEqual(Array.from({ length: 100 }, (_, i) => 1101 + i));
    expect(blocks.above(1099)).toEqual([{ height: 1200, seconds: 1200 }]);
    expect(blocks.above(1200)).toEqual([]);
  });

  it('restarts after a permanent return to lower heights, and not for a lagging node', () => {
    const { blocks, reported } = feed();
    blocks.report(blocks, look(500));
    for (let looks = 0; looks < 30; looks += 1) blocks.report(blocks, look(20));
    expect(reported).toEqual([false, 500]);
    blocks.report(blocks, look(20));
    blocks.report(blocks, look(21));
    expect(reported).toEqual([false, 500, 20, 21]);
  });
});
