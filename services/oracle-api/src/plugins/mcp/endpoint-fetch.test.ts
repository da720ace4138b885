import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutbound } from '@mlango/outbound/outbound';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endpointFetch } from './endpoint-fetch.js';

describe('what a connection to a server may ask of the network', () => {
  let server: Server;
  let url: string;
  let asked: string[];
  let handle: RequestListener;
  const onTooLarge = vi.fn<() => void>();
  beforeEach(async () => {
    asked = [];
    handle = (_, response) => response.end('ok');
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      handle(request, response);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  const outbound = createOutbound({ privateHosts: [{ host: '127.0.0.1' }] });
  afterAll(() => outbound.close());
  const open = (way = outbound) => endpointFetch(url, way, { replyBytes: 100, goodbyeMs: 200 }, onTooLarge);

  it('is its own address only', async () => {
    expect(await (await open()(url, { method: 'POST', body: '{}' })).text()).toBe('ok');
    for (const other of ['/', '/mcp?x=1', 'http://127.0.0.1:1/mcp', 'http://169.254.169.254/mcp']) {
      await expect(open()(new URL(other, url), { method: 'POST' })).rejects.toThrow('another address');
    }
    expect(asked).toEqual(['POST /mcp']);
  });

  it('is no address of this network, unless its host is named as a private one', async () => {
    const guarded = createOutbound({ privateHosts: [] });
    const cause = expect.objectContaining({ code: 'ERR_FORBIDDEN_ADDRESS' });
    await expect(open(guarded)(url, { method: 'POST' })).rejects.toMatchObject({ cause });
    await guarded.close();
    expect(asked).toEqual([]);
  });

  it('ends at a redirect, to the same server too', async () => {
    handle = (_, response) => response.writeHead(307, { location: '/elsewhere' }).end();
    await expect(open()(url, { method: 'POST', redirect: 'manual' })).rejects.toThrow();
    expect(asked).toEqual(['POST /mcp']);
  });

  it('has no stream that stays open', async () => {
    expect((await open()(url, { method: 'GET' })).status).toBe(405);
    expect(asked).toEqual([]);
  });

  it('is the status of a refusal, not its words', async () => {
    handle = (_, response) => response.writeHead(403).end('Bearer eyJ…');
    const response = await open()(url, { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([403, '']);
  });

  it('is a reply of limited length', async () => {
    handle = (_, response) => response.end('x'.repeat(200));
    const response = await open()(url, { method: 'POST' });
    await expect(response.text()).rejects.toThrow('more than 100 bytes');
    expect(onTooLarge).toHaveBeenCalled();
  });

  it('is a short goodbye', async () => {
    handle = () => undefined;
    await expect(open()(url, { method: 'DELETE' })).rejects.toThrow();
  });
});
