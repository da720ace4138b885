import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { addressOf, assertPortsFree, choosePorts } from './ports.mjs';

const entry = (name: string, variable: string, fallback: number) => ({
  name,
  script: '',
  port: { variable, fallback },
  readiness: 'http' as const,
  env: () => ({}),
});
const services = [entry('one', 'ONE_PORT', 3000), entry('two', 'TWO_PORT', 3001)];

describe('choosePorts', () => {
  it('takes the default of each service unless its variable is set', () => {
    expect(choosePorts(services, { TWO_PORT: '4001', ONE_PORT: '' })).toEqual({ one: 3000, two: 4001 });
  });

  it.each(['0', '65536', '-1', '3e3', ' 3000', 'http'])('refuses %j, naming the variable', (text) => {
    expect(() => choosePorts(services, { ONE_PORT: text })).toThrow(`ONE_PORT=${text} is not a port for one`);
  });

  it('refuses two services on one port, naming both variables', () => {
    expect(() => choosePorts(services, { ONE_PORT: '3001' })).toThrow(/two and one .* 3001\. Set TWO_PORT or ONE_PORT/);
  });
});

describe('assertPortsFree', () => {
  it.each(['127.0.0.1', '0.0.0.0'])('finds a port in use on %s', async (host) => {
    const taker = createServer();
    await new Promise<void>((resolve) => taker.listen(0, host, resolve));
    const address = taker.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      await expect(assertPortsFree(services.slice(0, 1), { one: port }, '127.0.0.1')).rejects.toThrow(
        `Port ${port} for one is already in use`,
      );
    } finally {
      taker.close();
    }
  });
});

describe('addressOf', () => {
  it('puts an IPv6 address in brackets', () => {
    expect(addressOf('127.0.0.1', 80)).toBe('127.0.0.1:80');
    expect(addressOf('::1', 80)).toBe('[::1]:80');
  });
});
