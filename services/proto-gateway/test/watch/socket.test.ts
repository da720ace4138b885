import { connect } from 'node:net';
import { WebSocket } from 'undici';
import { describe, expect, it } from 'vitest';
import { openWatched, PARAMS } from '../support/watched-gateway.js';
import { openSocket, socketEvent } from '../support/watching-socket.js';

const open = openWatched();

const answer = (id: string, height: number, code: number) => ({
  id,
  event: 'answer',
  height: String(height),
  data: { params: { ixo1155_contract_code: String(code) } },
});

describe('a socket', () => {
  it('has many watches, each with its own id, and shares their calls with all clients', async () => {
    const gateway = await open();
    const { chain, watch } = gateway;
    const stream = await watch();
    await stream.next();
    const { sendMessage, next, socket } = await openSocket(gateway);
    sendMessage({ op: 'subscribe', id: 'a', path: PARAMS });
    sendMessage({ op: 'subscribe', id: 'b', path: `${PARAMS}?json=camel&watch=1` });
    sendMessage({ op: 'subscribe', id: 'blocks', path: '/proto/blocks' });
    const messages = [];
    for (let index = 0; index < 6; index += 1) messages.push(await next());
    const blockAt = (height: number) => ({
      id: 'blocks',
      event: 'block',
      height: String(height),
      data: { height: String(height), chain_id: null },
    });
    expect(messages).toMatchObject([
      { id: 'a', event: 'subscribed' },
      answer('a', 100, 1),
      { id: 'b', event: 'subscribed' },
      { id: 'b', event: 'answer', data: { params: { ixo1155ContractCode: '1' } } },
      { id: 'blocks', event: 'subscribed' },
      blockAt(100),
    ]);
    sendMessage({ op: 'unsubscribe', id: 'b' });
    expect(await next()).toEqual({ id: 'b', event: 'unsubscribed' });
    chain.newBlock(2);
    const both = [await next(), await next()];
    expect(both).toContainEqual(answer('a', 101, 2));
    expect(both).toContainEqual(expect.objectContaining({ id: 'blocks', height: '101' }));
    expect(chain.requested).toHaveLength(2);
    expect(await gateway.metric('proto_gateway_watches{')).toBe('3');
    socket.close();
    await expect.poll(() => gateway.metric('proto_gateway_watches{')).toBe('1');
  });

  it('is described in the OpenAPI document', async () => {
    const gateway = await open();
    const { paths } = (await gateway.app.inject('/openapi.json')).json();
    const sockets = Object.keys(paths).filter((path) => paths[path].get?.responses[101] !== undefined);
    expect(sockets).toEqual(['/proto/watch']);
    const operation = paths['/proto/watch'].get;
    const { send, receive } = operation['x-websocket'];
    const ops = send.oneOf.map(({ properties }: { properties: { op: { const: string } } }) => properties.op.const);
    const { sendMessage, next } = await openSocket(gateway);
    const received = new Set<string>();
    for (const op of ops) {
      sendMessage({ op, id: 'a', path: PARAMS });
      received.add(((await next()) as { event: string }).event);
    }
    expect([...received]).toEqual(['subscribed', 'answer']);
    expect(receive.properties.event.enum).toEqual(expect.arrayContaining([...received]));
    // A plain GET without an upgrade gets a documented status.
    expect(Object.keys(operation.responses)).toContain(String((await gateway.app.inject('/proto/watch')).statusCode));
  });

  it('is resumed by height', async () => {
    const gateway = await open();
    gateway.chain.newBlock(2);
    const { sendMessage, next } = await openSocket(gateway);
    sendMessage({ op: 'subscribe', id: 'same', path: PARAMS, from: '101' });
    expect(await next()).toEqual({ id: 'same', event: 'subscribed' });
    sendMessage({ op: 'subscribe', id: 'changed', path: PARAMS, from: '100' });
    expect(await next()).toEqual({ id: 'changed', event: 'subscribed' });
    expect(await next()).toEqual(answer('changed', 101, 2));
    gateway.chain.newBlock(3);
    expect([await next(), await next()]).toEqual([answer('same', 102, 3), answer('changed', 102, 3)]);
  });

  it('reports invalid messages and stays open', async () => {
    const gateway = await open({ rules: { perClient: 1, queries: 1 } });
    const { sendMessage, next, socket } = await openSocket(gateway);
    const refused = (code: number, id?: string) => ({
      ...(id === undefined ? {} : { id }),
      event: 'refused',
      data: { code },
    });
    socket.send('no json');
    expect(await next()).toEqual({
      event: 'refused',
      data: { code: 3, message: 'a message: must be an object of JSON, with op and id', details: [] },
    });
    sendMessage({ op: 'subscribe', id: 'a' });
    expect(await next()).toMatchObject(refused(3, 'a'));
    sendMessage({ op: 'subscribe', id: 'a', path: PARAMS, from: 'x' });
    expect(await next()).toMatchObject({
      id: 'a',
      data: { message: 'from: must be a block height, in digits' },
    });
    sendMessage({ op: 'subscribe', id: '', path: PARAMS });
    expect(await next()).toEqual({
      event: 'refused',
      data: { code: 3, message: 'id: must be 1 to 64 characters', details: [] },
    });
    sendMessage({ op: 'subscribe', id: 'a', path: '/proto/nowhere' });
    expect(await next()).toMatchObject(refused(5, 'a'));
    sendMessage({ op: 'subscribe', id: 'a', path: `${PARAMS}?height=7` });
    expect(await next()).toMatchObject(refused(3, 'a'));
    sendMessage({ op: 'subscribe', id: 'a', path: PARAMS });
    expect(await next()).toEqual({ id: 'a', event: 'subscribed' });
    expect(await next()).toEqual(answer('a', 100, 1));
    sendMessage({ op: 'subscribe', id: 'a', path: PARAMS });
    expect(await next()).toMatchObject(refused(6, 'a'));
    sendMessage({ op: 'subscribe', id: 'b', path: PARAMS });
    expect(await next()).toMatchObject(refused(8, 'b'));
    sendMessage({ op: 'unsubscribe', id: 'a' });
    expect(await next()).toEqual({ id: 'a', event: 'unsubscribed' });
    sendMessage({ op: 'subscribe', id: 'b', path: PARAMS });
    expect(await next()).toEqual({ id: 'b', event: 'subscribed' });
  });

  it('gets heartbeats, and is closed when the process stops', async () => {
    const gateway = await open({ rules: { heartbeatMs: 0 } });
    const { sendMessage, next, socket } = await openSocket(gateway);
    sendMessage({ op: 'subscribe', id: 'a', path: PARAMS });
    // Heartbeats come at any time, also before the answer.
    let first = await next();
    while ((first as { event: string }).event !== 'answer') first = await next();
    expect(await next()).toEqual({ event: 'heartbeat', height: '100' });
    const closed = socketEvent(socket, 'close');
    const stopped = gateway.app.close();
    let last = await next();
    while ((last as { event: string }).event === 'heartbeat') last = await next();
    expect(last).toEqual({ event: 'status', data: { state: 'closing' } });
    expect(await closed).toMatchObject({ code: 1001 });
    await stopped;
  });

  it('is open to pages of approved origins and of the host, and to other clients', async () => {
    const gateway = await open({ corsOrigins: ['https://app.example'] });
    for (const origin of ['https://app.example', gateway.url]) {
      (await openSocket(gateway, { origin })).socket.close();
    }
    const headers = { origin: 'https://evil.example' };
    const refused = new WebSocket(`${gateway.url.replace('http', 'ws')}/proto/watch`, { headers });
    expect(await socketEvent(refused, 'error')).toMatchObject({ type: 'error' });
    expect((await gateway.app.inject('/proto/watch')).json()).toMatchObject({ code: 5 });
  });
});

describe('a request with an upgrade that is not taken', () => {
  const upgrade = 'connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAARAAAAAAAIAAAAA\r\n';

  it('is served as a plain request, with its body and later requests', async () => {
    const { app } = await open();
    const { port } = app.server.address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (data: string) => {
      text += data;
    });
    const body = JSON.stringify({ paths: [PARAMS] });
    socket.write(`POST /proto/batch HTTP/1.1\r\nhost: h\r\ncontent-type: application/json\r\n${upgrade}`);
    socket.write(`content-length: ${body.length}\r\n\r\n${body.slice(0, 5)}`);
    await new Promise((resolve) => setImmediate(resolve));
    socket.write(body.slice(5));
    await expect.poll(() => text).toContain('"status":200');
    socket.write(`GET ${PARAMS} HTTP/1.1\r\nhost: h\r\n${upgrade}\r\n`);
    await expect.poll(() => text.split('HTTP/1.1 200 OK')).toHaveLength(3);
    const websocket =
      'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
    socket.write(`GET ${PARAMS} HTTP/1.1\r\nhost: h\r\n${websocket}\r\n`);
    await expect.poll(() => text.split('HTTP/1.1 200 OK')).toHaveLength(4);
    socket.destroy();
  });
});
