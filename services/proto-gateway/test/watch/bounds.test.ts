import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import { describe, expect, it } from 'vitest';
import { apiKeyGate } from '../../src/access/api-keys.js';
import type { ApiKey, KeyPlan } from '../../src/access/key-plan.js';
import { expectError } from '../support/gateway-on-node.js';
import { answerAt, openWatched, PARAMS } from '../support/watched-gateway.js';

const open = openWatched();

const apiKey = (name: string, plan?: KeyPlan): ApiKey => {
  const digest = createHash('sha256').update(name).digest();
  return { name, digest, ...(plan === undefined ? {} : { plan }) };
};
const shown = (key: string) => ({ 'x-api-key': key });
const WATCH = `${PARAMS}?watch=1`;

describe('watches', () => {
  it('are limited per caller, in total and per query, and make room when they end', async () => {
    const two = await open({ rules: { perClient: 2 } });
    const [first] = [await two.watch(), await two.watch('/proto/blocks?watch=1')];
    expect(await (await two.watch()).refused(429, 8)).toMatch(/limit of 2 open watches/);
    first.close();
    await expect.poll(async () => (await two.watch()).reply.status).toBe(200);
    expect(await two.metric('proto_gateway_watches_refused_total')).not.toBe('0');

    const one = await open({ rules: { total: 1 } });
    await one.watch();
    const full = await one.watch();
    expect(full.reply.headers.get('retry-after')).toBe('5');
    expect(await full.refused(503, 14)).toMatch(/limit of open watches/);

    const few = await open({ rules: { queries: 1 } });
    await few.watch();
    expect((await few.watch(`${WATCH}&json=camel`)).reply.status).toBe(200);
    expect(await (await few.watch('/proto/entity/a?watch=1')).refused(503, 14)).toMatch(/watched queries/);
    expect(await few.metric('proto_gateway_watches{')).toBe('2');
  });

  it('are limited to the calls of their address, all at the height of the block', async () => {
    const { chain, watch } = await open({ rules: { calls: 8 } });
    const all = await Promise.all(Array.from({ length: 6 }, (_, id) => watch(`/proto/entity/e${id}?watch=1`)));
    await expect.poll(() => chain.requested.length).toBe(6);
    let go = (): void => {};
    chain.hold(new Promise((resolve) => (go = resolve)));
    chain.newBlock(2);
    await expect.poll(() => chain.requested.length).toBe(8);
    chain.hold(Promise.resolve());
    go();
    await expect.poll(() => chain.requested.length).toBe(12);
    expect(chain.requested.slice(6).map(({ height }) => height)).toEqual(Array(6).fill(101));
    for (const events of all) events.close();
  });

  it.each([
    ['at a height', `${WATCH}&height=7`, {}, 400, 3],
    ['at a height in a header', WATCH, { 'x-cosmos-block-height': '7' }, 400, 3],
    ['from a least height', WATCH, { 'x-min-block-height': '7' }, 400, 3],
    ['from an invalid height', `${WATCH}&from=x`, {}, 400, 3],
    ['twice', `${WATCH}&watch=1`, {}, 400, 3],
    ['maybe', `${PARAMS}?watch=maybe`, {}, 400, 3],
    ['of an unknown path', '/proto/nowhere?watch=1', {}, 404, 5],
    ['of a wrong parameter', '/proto/claims/claims?watch=1&pagination.limit=x', {}, 400, 3],
  ])('%s are refused', async (_what, url, headers, status, code) => {
    const { app } = await open();
    expectError(await app.inject({ url, headers }), status, code);
  });

  it('do not start with watch=0, which is an ordinary parameter', async () => {
    const { app } = await open({ unknownQuery: 'reject' });
    const watched = await (await open()).app.inject(`${PARAMS}?watch=0`);
    expect([watched.statusCode, watched.headers['warning']]).toEqual([200, undefined]);
    const reply = await app.inject(`${PARAMS}?watch=0&from=7&json=camel`);
    expect(reply.headers['content-type']).toContain('application/json');
    expect(reply.json()).toHaveProperty(['params', 'ixo1155ContractCode']);
    expectError(await app.inject(`${PARAMS}?watch=0&watch=0`), 400, 3);
  });

  it('exist only for queries, and for served methods', async () => {
    const { app } = await open({ disabled: ['ixo.token.v1beta1.Query'] });
    expectError(await app.inject(WATCH), 501, 12);
    const simulate = { method: 'POST', url: '/cosmos/tx/v1beta1/simulate?watch=1', payload: {} } as const;
    expectError(await app.inject(simulate), 501, 12);
    const transaction = await app.inject('/cosmos/tx/v1beta1/simulate?watch=1');
    expect(transaction.statusCode).toBe(501);
    expect((await app.inject(`${PARAMS}?watch=0`)).statusCode).toBe(501);
    const head = await (await open()).app.inject({ method: 'HEAD', url: WATCH });
    expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ]);
    expect(head.headers).not.toHaveProperty('content-length');
  });

  it('end when the key is withdrawn, gets another plan or expires, and stay otherwise', async () => {
    let keys = [apiKey('gone'), apiKey('stays', { pageLimit: 5 }), apiKey('less', { pageLimit: 7 })];
    let nowMs = 0;
    keys.push(apiKey('short', { expiresAtMs: 1000 }));
    const gate = apiKeyGate(
      () => keys,
      () => nowMs,
    );
    const { chain, watch } = await open({ access: { kind: 'api-key', gate } });
    const [gone, stays, less, short] = await Promise.all(
      ['gone', 'stays', 'less', 'short'].map((name) => watch(WATCH, shown(name))),
    );
    for (const events of [gone, stays, less, short]) expect(await events?.next()).toEqual(answerAt(100, 1));
    keys = [apiKey('stays', { pageLimit: 5 }), apiKey('less', { pageLimit: 6 }), ...keys.slice(3)];
    const ended = { id: '100', event: 'status', data: { state: 'access-ended' } };
    for (const events of [gone, less]) expect([await events?.next(), await events?.next()]).toEqual([ended, undefined]);
    nowMs = 1000;
    expect([await short?.next(), await short?.next()]).toEqual([ended, undefined]);
    chain.newBlock(2);
    expect(await stays?.next()).toEqual(answerAt(101, 2));
    expect(await (await watch(WATCH, shown('gone'))).refused(403, 7)).toBe('This API key is not known here');
  });

  it('count to the bytes of the key when sent, and wait with the newest answer when those are used up', async () => {
    let nowMs = 0;
    const gate = apiKeyGate(() => [apiKey('small', { bytesPerMinute: 900 })], Date.now);
    const rateLimit = { max: 100, windowMs: 60_000, store: memoryRateLimitStore({ now: () => nowMs }) };
    const { app, chain, watch } = await open({ access: { kind: 'api-key', gate }, rateLimit, now: () => nowMs });
    const events = await watch(WATCH, shown('small'));
    expect(await events.next()).toEqual(answerAt(100, 1));
    let reported = 0;
    const usage = async () => (await app.inject({ url: '/usage', headers: shown('small') })).json();
    for (let code = 2; code < 30; code += 1) {
      chain.newBlock(code);
      await expect.poll(() => chain.requested.length).toBe(code);
    }
    const last = answerAt(128, 29);
    const read = (async () => {
      for (let event = await events.next(); ; event = await events.next()) {
        reported += 1;
        if (event?.id === last.id) return event;
      }
    })();
    await expect.poll(usage).toMatchObject({ code: 8 });
    nowMs += 61_000;
    expect(await read).toEqual(last);
    expect(reported).toBeLessThan(20);
  });

  it('skip to the newest answer for a reader that does not read', async () => {
    const { app, chain, metric } = await open();
    const { port } = app.server.address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    socket.pause();
    // Half a megabyte in each event: the first ones fill the buffers of the connection.
    chain.widen(500_000);
    socket.write(`GET /proto/entity/e?watch=1 HTTP/1.1\r\nhost: h\r\n\r\n`);
    await expect.poll(() => chain.requested.length).toBe(1);
    for (let code = 2; code < 42; code += 1) {
      chain.newBlock(code);
      await expect.poll(() => chain.requested.length).toBe(code);
    }
    expect(Number(await metric('proto_gateway_watch_skipped_total'))).toBeGreaterThan(10);
    expect(Number(await metric('proto_gateway_reply_bytes_in_flight'))).toBeLessThan(3_000_000);
    let text = '';
    socket.setEncoding('utf8').on('data', (data: string) => {
      text = (text + data).slice(-600_000);
    });
    socket.resume();
    await expect.poll(() => text, { timeout: 5000 }).toContain('41xxx');
    socket.destroy();
    await expect.poll(() => metric('proto_gateway_watches{')).toBe('0');
    expect(await metric('proto_gateway_reply_bytes_in_flight')).toBe('0');
  });

  it('get heartbeats without changes, with the current height', async () => {
    const { chain, watch } = await open({ rules: { heartbeatMs: 0 } });
    const events = await watch();
    expect(await events.next()).toEqual(answerAt(100, 1));
    chain.newBlock();
    chain.newBlock();
    const next = events.next();
    await expect.poll(() => events.lastId(), { timeout: 5000 }).toBe('102');
    chain.newBlock(9);
    expect(await next).toEqual(answerAt(103, 9));
  });

  it('are closed when the process stops, with a reconnect delay', async () => {
    const { app, watch } = await open();
    const [events, blocks] = [await watch(), await watch('/proto/blocks?watch=1')];
    await events.next();
    await blocks.next();
    const closed = app.close();
    for (const each of [events, blocks]) {
      expect(await each.next()).toEqual({ id: '100', event: 'status', data: { state: 'closing' } });
      expect(Number(each.retry)).toBeGreaterThanOrEqual(500);
      expect(await each.next()).toBeUndefined();
    }
    await closed;
  });
});
