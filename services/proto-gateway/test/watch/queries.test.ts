import { NodeFailure } from '@mlango/grpc-channel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerAt, PARAMS, type WatchedGateway, watchedGateway } from '../support/watched-gateway.js';

let gateway: WatchedGateway;
beforeEach(async () => {
  gateway = await watchedGateway();
});
afterEach(() => gateway.app.close());

const status = (state: string, id = '') => ({ id, event: 'status', data: { state } });

describe('a query that is watched', () => {
  it('is sent at once, and with each block that changes its answer', async () => {
    const { chain, watch } = gateway;
    const events = await watch();
    expect(events.reply.status).toBe(200);
    expect(Object.fromEntries(events.reply.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(await events.next()).toEqual(answerAt(100, 1));
    chain.newBlock(2);
    expect(await events.next()).toEqual(answerAt(101, 2));
    chain.newBlock();
    chain.newBlock();
    await expect.poll(() => chain.requested.length).toBe(4);
    chain.newBlock(3);
    expect(await events.next()).toEqual(answerAt(104, 3));
  });

  it('is one call per block, at its height, for all subscribers and forms', async () => {
    const { chain, watch } = gateway;
    const all = await Promise.all([
      ...Array.from({ length: 20 }, () => watch()),
      watch(`${PARAMS}?watch=1&json=camel`),
      watch('/ixo/token/params?watch=true&pretty=1'),
      watch(`${PARAMS}?fields=params&watch`),
    ]);
    for (const events of all) expect(await events.next()).toMatchObject({ id: '100' });
    chain.newBlock(2);
    const reported = await Promise.all(all.map((events) => events.next()));
    expect(reported.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => answerAt(101, 2)));
    expect(reported[20]?.data).toEqual({ params: { ixo1155ContractCode: '2' } });
    expect(reported.slice(21)).toEqual([answerAt(101, 2), answerAt(101, 2)]);
    const path = '/ixo.token.v1beta1.Query/Params';
    expect(chain.requested).toEqual([
      { path, height: 100 },
      { path, height: 101 },
    ]);
    expect(await gateway.metric('proto_gateway_watches{')).toBe('23');
    expect(await gateway.metric('proto_gateway_watched_queries')).toBe('1');
    expect(await gateway.metric('proto_gateway_watch_calls_total')).toBe('2');
    for (const events of all) events.close();
    await expect.poll(() => gateway.metric('proto_gateway_watches{')).toBe('0');
    chain.newBlock(3);
    expect(await gateway.metric('proto_gateway_watched_queries')).toBe('0');
    expect(chain.requested).toHaveLength(2);
  });

  it('sends a failure when there is no answer, and continues', async () => {
    const { chain, watch } = gateway;
    const events = await watch();
    await events.next();
    chain.fail(new NodeFailure(5, 'no such thing at block 101'));
    chain.newBlock();
    expect(await events.next()).toMatchObject({ id: '101', event: 'failed', data: { code: 5 } });
    chain.fail(new NodeFailure(5, 'no such thing at block 102'));
    chain.newBlock();
    await expect.poll(() => chain.requested.length).toBe(3);
    chain.fail(undefined);
    chain.newBlock(7);
    expect(await events.next()).toEqual(answerAt(103, 7));
  });

  it('survives an outage of the nodes, with its state and later changes', async () => {
    const { chain, watch } = gateway;
    const [events, blocks] = [await watch(), await watch('/proto/blocks?watch=1')];
    await events.next();
    await blocks.next();
    chain.goAway(true);
    expect(await events.next()).toEqual(status('away', '100'));
    expect(await blocks.next()).toEqual(status('away', '100'));
    const newcomer = await watch();
    expect(await newcomer.next()).toEqual(status('away'));
    expect(await newcomer.next()).toEqual(answerAt(100, 1));
    chain.goAway(false);
    expect(await events.next()).toEqual(status('live', '100'));
    chain.newBlock(5);
    for (const each of [events]) expect(await each.next()).toEqual(answerAt(101, 5));
    expect(await newcomer.next()).toEqual(status('live', '100'));
    expect(await newcomer.next()).toEqual(answerAt(101, 5));
  });

  it('is late while its call fails, and is called again at the next block', async () => {
    const { chain, watch } = gateway;
    const events = await watch();
    await events.next();
    chain.fail(new NodeFailure(4, 'too slow'));
    chain.newBlock(2);
    expect(await events.next()).toEqual(status('late', '100'));
    chain.fail(undefined);
    chain.newBlock(2);
    expect(await events.next()).toEqual(status('live', '100'));
    expect(await events.next()).toEqual(answerAt(102, 2));
  });

  it('waits for a node that announced a block before it can serve it', async () => {
    const { chain, watch } = gateway;
    const events = await watch();
    await events.next();
    chain.fail(new NodeFailure(2, 'cannot query with height in the future; please provide a valid height'));
    chain.newBlock(2);
    await expect.poll(() => chain.requested.length).toBeGreaterThan(1);
    chain.fail(undefined);
    expect(await events.next()).toEqual(answerAt(101, 2));
  });

  it('is called at the newest block only if its call took longer than a block', async () => {
    const { chain, watch } = gateway;
    const events = await watch();
    await events.next();
    let open = (): void => {};
    chain.hold(new Promise((resolve) => (open = resolve)));
    for (const code of [2, 3, 4]) chain.newBlock(code);
    await expect.poll(() => chain.requested.length).toBe(2);
    open();
    expect(await events.next()).toEqual(answerAt(101, 2));
    expect(await events.next()).toEqual(answerAt(103, 4));
    expect(chain.requested.map(({ height }) => height)).toEqual([100, 101, 103]);
  });
});

describe('a client that reconnects', () => {
  it.each([
    ['Last-Event-ID', `${PARAMS}?watch=1`, { 'last-event-id': '100' }],
    ['from', `${PARAMS}?watch=1&from=100`, {}],
  ])('with %s gets changes since its height at once, and nothing without a change', async (_name, path, headers) => {
    const { chain, watch } = gateway;
    const first = await watch();
    await first.next();
    const same = await watch(path, headers);
    chain.newBlock(2);
    expect(await same.next()).toEqual(answerAt(101, 2));
    expect(await (await watch(path, headers)).next()).toEqual(answerAt(101, 2));
    chain.newBlock(1);
    expect(await same.next()).toEqual(answerAt(102, 1));
    // The client already has the current answer.
    const repeated = await watch(path, headers);
    chain.newBlock(9);
    expect(await repeated.next()).toEqual(answerAt(103, 9));
  });

  it('is compared with the answer at its block after a time without subscribers', async () => {
    const { chain, watch } = gateway;
    chain.newBlock(1);
    chain.newBlock(2);
    expect(await (await watch(`${PARAMS}?watch=1&from=101`)).next()).toEqual(answerAt(102, 2));
    expect(chain.requested.map(({ height }) => height)).toEqual([102, 101]);
    const same = await watch(`${PARAMS}?watch=1&from=102`);
    chain.newBlock(3);
    expect(await same.next()).toEqual(answerAt(103, 3));
  });

  it('gets the current answer if its block is no longer stored', async () => {
    const { chain, watch } = gateway;
    chain.newBlock();
    chain.forgetBelow(101);
    expect(await (await watch(`${PARAMS}?watch=1&from=100`)).next()).toEqual(answerAt(101, 1));
  });

  it('gets nothing older if another gateway was ahead of this one', async () => {
    const { chain, watch } = gateway;
    const ahead = await watch(`${PARAMS}?watch=1&from=101`);
    await expect.poll(() => chain.requested.length).toBe(1);
    chain.newBlock(2);
    await expect.poll(() => chain.requested.length).toBe(2);
    chain.newBlock(3);
    expect(await ahead.next()).toEqual(answerAt(102, 3));
    // A future height is treated as none.
    expect(await (await watch(`${PARAMS}?watch=1&from=900000`)).next()).toEqual(answerAt(102, 3));
  });
});
