import { describe, expect, it } from 'vitest';
import { isNamedHost, parseNamedHost } from './named-hosts.js';

describe('a listed host', () => {
  it.each([
    ['mcp', { host: 'mcp' }],
    ['MX.Example.org.', { host: 'mx.example.org' }],
    ['mx.example.org:443', { host: 'mx.example.org', port: 443 }],
    ['localhost:8008', { host: 'localhost', port: 8008 }],
    ['10.0.0.5:80', { host: '10.0.0.5', port: 80 }],
    ['0x7f.1', { host: '127.0.0.1' }],
    ['::1', { host: '::1' }],
    ['[::1]:8008', { host: '::1', port: 8008 }],
    ['bücher.example', { host: 'xn--bcher-kva.example' }],
  ])('is parsed from %s', (text, named) => {
    expect(parseNamedHost(text)).toEqual(named);
  });

  it.each([
    '',
    'https://mx.example.org',
    'user@mx.example.org',
    'mx.example.org/path',
    'mx.example.org?x',
    'mx example',
    'mx:99999',
    'mx:',
    'fe80::1%eth0',
    '[fe80::1%25eth0]',
    '*.example.org',
    '256.1.1.1',
  ])('is not parsed from "%s"', (text) => {
    expect(parseNamedHost(text)).toBeUndefined();
  });

  it('permits that host only, at its port if given', () => {
    const hosts = [{ host: 'mx.example.org' }, { host: 'localhost', port: 8008 }];
    expect(isNamedHost(hosts, 'mx.example.org', 8448)).toBe(true);
    expect(isNamedHost(hosts, 'localhost', 8008)).toBe(true);
    for (const [host, port] of [
      ['localhost', 8009],
      ['mx.example.org.evil.example', 443],
      ['a.mx.example.org', 443],
    ] as const) {
      expect(isNamedHost(hosts, host, port), host).toBe(false);
    }
  });
});
