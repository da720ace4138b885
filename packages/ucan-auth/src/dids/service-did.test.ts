import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isLoopback, startStandIn } from '../../test/service-stand-in.js';
import { createServiceDids, type ServiceDidOptions } from './service-did.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function standIn(answer: RequestListener) {
  const service = await startStandIn(answer);
  closing.push(service.close);
  return service;
}

function reader(options: ServiceDidOptions) {
  const services = createServiceDids(options);
  closing.push(() => services.close());
  return services;
}

/** A service with the document that `make` returns for its DID. */
async function serviceWith(make: (did: string) => unknown) {
  const service = await standIn((_, reply) => reply.end(JSON.stringify(make(service.did))));
  return service;
}

describe('createServiceDids', () => {
  it('reads the DID of a service from its well-known document', async () => {
    const service = await serviceWith((id) => ({ id }));
    const services = reader({ isAllowedAddress: isLoopback, ca: service.ca });
    expect(await services.read(service.origin)).toEqual({ ok: true, did: service.did });
    expect(service.requests).toEqual(['/.well-known/did.json']);
  });

  it('sends one request for concurrent callers and for the cache period', async () => {
    let now = 1000;
    const service = await serviceWith((id) => ({ id }));
    const options = { isAllowedAddress: isLoopback, ca: service.ca, cacheSeconds: 300, now: () => now };
    const services = reader(options);
    await Promise.all(Array.from({ length: 20 }, () => services.read(service.origin)));
    now = 1299;
    await services.read(`${service.origin}/`);
    expect(service.requests).toHaveLength(1);
    now = 1300;
    await services.read(service.origin);
    expect(service.requests).toHaveLength(2);
  });

  it('calls only public addresses by default, not this machine under any name', async () => {
    const service = await serviceWith((id) => ({ id }));
    const services = reader({ ca: service.ca });
    for (const origin of [service.origin, service.origin.replace('localhost', 'LOCALHOST')]) {
      expect(await services.read(origin)).toEqual({ ok: false, code: 'forbidden_address' });
    }
    expect(service.connections()).toBe(0);
  });

  it.each([
    'http://localhost',
    'ftp://localhost',
    'https://user@localhost',
    'https://localhost/path',
    'https://localhost?query',
    'https://localhost#part',
    'https://127.0.0.1',
    'https://127.1',
    'https://0x7f000001',
    'https://2130706433',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://',
    `https://${'x'.repeat(300)}`,
    'localhost',
    '',
  ])('refuses %s as an origin', async (origin) => {
    const services = reader({ isAllowedAddress: () => true });
    expect(await services.read(origin)).toEqual({ ok: false, code: 'bad_origin' });
  });

  it.each<[string, (did: string) => unknown]>([
    ['of another service', () => ({ id: 'did:web:bank.example' })],
    ['of another method', () => ({ id: 'did:key:z6Mk' })],
    ['of the same host without its port', () => ({ id: 'did:web:localhost' })],
    ['of a path of the same host', (did) => ({ id: `${did}:users:mallory` })],
    ['without a DID', () => ({})],
    ['that is none', () => 'did'],
    ['that is null', () => null],
  ])('refuses a document %s', async (_, make) => {
    const service = await serviceWith(make);
    const services = reader({ isAllowedAddress: isLoopback, ca: service.ca });
    expect(await services.read(service.origin)).toEqual({ ok: false, code: 'bad_document' });
  });

  it.each<[string, RequestListener]>([
    ['a redirect', (_, reply) => reply.writeHead(301, { location: '/other' }).end()],
    ['an error status', (_, reply) => reply.writeHead(500).end('{}')],
    ['a document that is too long', (_, reply) => reply.end(' '.repeat(2000))],
  ])('is unavailable at %s, and retries at the next call', async (_, answer) => {
    const service = await standIn(answer);
    const options = { isAllowedAddress: isLoopback, ca: service.ca, limitBytes: 1000, timeoutMs: 20_000 };
    const services = reader(options);
    expect(await services.read(service.origin)).toEqual({ ok: false, code: 'unavailable' });
    expect(await services.read(service.origin)).toEqual({ ok: false, code: 'unavailable' });
    expect(service.requests).toEqual(['/.well-known/did.json', '/.well-known/did.json']);
  });

  it.each<[string, RequestListener]>([
    ['a document without an end', (_, reply) => void reply.write('{')],
    ['no answer in time', () => {}],
  ])('is unavailable at %s, and retries at the next call', async (_, answer) => {
    const limits: { readonly ms: number; readonly end: () => void }[] = [];
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const limit = new AbortController();
      limits.push({ ms, end: () => limit.abort(new DOMException('too late', 'TimeoutError')) });
      return limit.signal;
    });
    closing.push(async () => void vi.restoreAllMocks());
    const service = await standIn((request, reply) => {
      answer(request, reply);
      limits.at(-1)?.end();
    });
    const services = reader({ isAllowedAddress: isLoopback, ca: service.ca, timeoutMs: 20_000 });
    expect(await services.read(service.origin)).toEqual({ ok: false, code: 'unavailable' });
    expect(await services.read(service.origin)).toEqual({ ok: false, code: 'unavailable' });
    expect(service.requests).toEqual(['/.well-known/did.json', '/.well-known/did.json']);
    expect(limits.map(({ ms }) => ms)).toEqual([20_000, 20_000]);
  });

  it('is unavailable with an untrusted certificate and beyond the concurrency limit', async () => {
    const service = await serviceWith((id) => ({ id }));
    expect(await reader({ isAllowedAddress: isLoopback }).read(service.origin)).toEqual({
      ok: false,
      code: 'unavailable',
    });
    expect(service.requests).toEqual([]);
    const silent = await standIn(() => {});
    const services = reader({ isAllowedAddress: isLoopback, ca: silent.ca, concurrency: 1, timeoutMs: 300 });
    const first = services.read(silent.origin);
    expect(await services.read(service.origin)).toEqual({ ok: false, code: 'unavailable' });
    expect(await first).toEqual({ ok: false, code: 'unavailable' });
  });
});
