import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutbound } from '@mlango/outbound/outbound';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endpointFetch } from './endpoint-fetch.js';

describe('network access of a connection to a server', () => {
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

  it("is limited to the server's URL", async () => {
    expect(await (await open()(url, { method: 'POST', body: '{}' })).text()).toBe('ok');
    for (const other of ['/', '/mcp?x=1', 'http://127.0.0.1:1/mcp', 'http://169.254.169.254/mcp']) {
      await expect(open()(new URL(other, url), { method: 'POST' })).rejects.toThrow('another address');
    }
    expect(asked).toEqual(['POST /mcp']);
  });

  it('excludes addresses of this network, unless the host is listed as a private one', async () => {
    const guarded = createOutbound({ privateHosts: [] });
    const cause = expect.objectContaining({ code: 'ERR_FORBIDDEN_ADDRESS' });
    await expect(open(guarded)(url, { method: 'POST' })).rejects.toMatchObject({ cause });
    await guarded.close();
    expect(asked).toEqual([]);
  });

  it('ends at a redirect, also to the same server', async () => {
    handle = (_, response) => response.writeHead(307, { location: '/elsewhere' }).end();
    await expect(open()(url, { method: 'POST', redirect: 'manual' })).rejects.toThrow();
    expect(asked).toEqual(['POST /mcp']);
  });

  it('opens no permanent stream', async () => {
    expect((await open()(url, { method: 'GET' })).status).toBe(405);
    expect(asked).toEqual([]);
  });

  it('reports the status of a refusal, without its text', async () => {
    handle = (_, response) => response.writeHead(403).end('Bearer eyJ…');
    const response = await open()(url, { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([403, '']);
  });

  it('limits the length of a reply', async () => {
    handle = (_, response) => response.end('x'.repeat(200));
    const response = await open()(url, { method: 'POST' });
    await expect(response.text()).rejects.toThrow('more than 100 bytes');
    expect(onTooLarge).toHaveBeenCalled();
  });

  it('limits the time to end a session', async () => {
    handle = () => undefined;
    await expect(open()(url, { method: 'DELETE' })).rejects.toThrow();
  });
});
