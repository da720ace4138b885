import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetch, request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ForbiddenAddressError, guardedAgent, type IsAllowedAddress, type ResolveHost } from './guarded-agent.js';
import { isPublicAddress } from './public-address.js';

describe('a guarded agent', () => {
  let server: Server;
  let port: number;
  let connections: number;
  const closing: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    connections = 0;
    server = createServer((_, reply) => reply.end('inside'));
    server.on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    port = (server.address() as AddressInfo).port;
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const open = (resolve: ResolveHost, isAllowedAddress: IsAllowedAddress = isPublicAddress) => {
    const dispatcher = guardedAgent({ isAllowedAddress, resolve, timeoutMs: 2_000 });
    closing.push(() => dispatcher.destroy());
    return dispatcher;
  };
  const v4 = (...addresses: string[]) => addresses.map((address) => ({ address, family: 4 }));
  const loopback: ResolveHost = async () => v4('127.0.0.1');

  it('connects to the address of a name, if permitted', async () => {
    const requested: unknown[] = [];
    const dispatcher = open(loopback, (...all) => {
      requested.push(all);
      return true;
    });
    const { body } = await request(`http://Service.Example.:${port}/`, { dispatcher });
    expect(await body.text()).toBe('inside');
    expect(requested).toContainEqual(['127.0.0.1', 'service.example', port]);
  });

  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1'])(
    'refuses a name that resolves to %s, also as one of several addresses',
    async (address) => {
      for (const resolve of [async () => v4(address), async () => v4('93.184.215.14', address)]) {
        const requested = request(`http://service.example:${port}/`, { dispatcher: open(resolve) });
        await expect(requested).rejects.toBeInstanceOf(ForbiddenAddressError);
      }
      expect(connections).toBe(0);
    },
  );

  it('resolves a name once for a connection, so that a second answer changes nothing', async () => {
    let lookups = 0;
    const rebinding: ResolveHost = async () => {
      lookups += 1;
      return lookups === 1 ? v4('192.0.2.1') : v4('127.0.0.1');
    };
    // The filter permits the first resolved address only, which has no listener.
    const dispatcher = open(rebinding, (address) => address === '192.0.2.1');
    const signal = AbortSignal.timeout(300);
    await expect(request(`http://service.example:${port}/`, { dispatcher, signal })).rejects.toThrow();
    await expect(request(`http://service.example:${port}/`, { dispatcher })).rejects.toBeInstanceOf(
      ForbiddenAddressError,
    );
    expect(connections).toBe(0);
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '①②⑦.0.0.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
  ])('refuses an address in any spelling: %s', async (host) => {
    const never: ResolveHost = () => Promise.reject(new Error('addresses are not looked up'));
    const dispatcher = open(never);
    await expect(fetch(`http://${host}:${port}/`, { dispatcher })).rejects.toMatchObject({
      cause: expect.any(ForbiddenAddressError),
    });
    expect(connections).toBe(0);
  });

  it('reports a name without addresses', async () => {
    const nowhere: ResolveHost = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
    const requested = request(`http://service.example:${port}/`, { dispatcher: open(nowhere) });
    await expect(requested).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(request(`http://service.example:${port}/`, { dispatcher: open(async () => []) })).rejects.toThrow();
  });

  it('resolves like the system by default', async () => {
    const dispatcher = guardedAgent({ isAllowedAddress: isPublicAddress, timeoutMs: 2_000 });
    closing.push(() => dispatcher.destroy());
    await expect(request(`http://localhost:${port}/`, { dispatcher })).rejects.toBeInstanceOf(ForbiddenAddressError);
    expect(connections).toBe(0);
  });
});
