import type { IncomingHttpHeaders } from 'node:http';
import fc from 'fast-check';
import Fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { privateRanges } from '../env/index.js';
import { callerAddress } from './client-address.js';

const app = Fastify({ trustProxy: [...privateRanges] });
app.get('/', (request) => request.ip);
afterAll(() => app.close());

const addresses = fc.oneof(
  fc.constantFrom('10.0.0.1', '127.0.0.1', '::1', 'fc00::7', '::ffff:10.0.0.9', '192.168.7.7', 'unknown', 'a:b', ''),
  fc.ipV4(),
  fc.ipV6(),
);

describe('the address of a caller behind proxies', () => {
  it('equals the address that Fastify finds, for any forwarded header', async () => {
    const addressOf = callerAddress([...privateRanges]);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('127.0.0.1', '10.1.1.1', '203.0.113.5', '::1', '2001:db8::1'),
        fc.array(addresses, { maxLength: 4 }),
        async (remoteAddress, forwarded) => {
          const headers: IncomingHttpHeaders =
            forwarded.length === 0 ? {} : { 'x-forwarded-for': forwarded.join(', ') };
          const { body } = await app.inject({ url: '/', remoteAddress, headers });
          expect(addressOf(remoteAddress, headers)).toBe(body);
        },
      ),
    );
  });

  it('has no port, in any forwarded form', () => {
    const addressOf = callerAddress([...privateRanges]);
    const forwardedAs = (list: string) => addressOf('10.1.1.1', { 'x-forwarded-for': list });
    expect(forwardedAs('192.0.2.7:40712')).toBe('192.0.2.7');
    expect(forwardedAs('192.0.2.7:40712, [fc00::7]:443 ,10.0.0.9:1')).toBe('192.0.2.7');
    expect(forwardedAs('[2001:db8::7]')).toBe('2001:db8::7');
    expect(forwardedAs('::ffff:192.0.2.7')).toBe('::ffff:192.0.2.7');
    expect(forwardedAs('unknown:80')).toBe('unknown:80');
  });

  it('is that of the connection if no proxy is trusted', () => {
    expect(callerAddress(false)('10.1.1.1', { 'x-forwarded-for': '192.0.2.7' })).toBe('10.1.1.1');
  });
});
