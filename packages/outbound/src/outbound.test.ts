import { describe, expect, it } from 'vitest';
import { createOutbound } from './outbound.js';

describe('the outbound filter', () => {
  const privateHosts = [{ host: 'mcp' }, { host: 'localhost', port: 8008 }, { host: '10.0.0.5' }];
  const outbound = createOutbound({ privateHosts });
  const problemOf = (url: string) => outbound.problemOf(new URL(url));

  it('permits public addresses, and private networks for listed hosts', () => {
    const { isAllowedAddress } = outbound;
    expect(isAllowedAddress('93.184.215.14', 'any.example', 443)).toBe(true);
    expect(isAllowedAddress('172.18.0.4', 'mcp', 8080)).toBe(true);
    expect(isAllowedAddress('127.0.0.1', 'localhost', 8008)).toBe(true);
    expect(isAllowedAddress('127.0.0.1', 'localhost', 8009)).toBe(false);
    expect(isAllowedAddress('172.18.0.4', 'mcp.evil.example', 8080)).toBe(false);
  });

  it.each([
    '169.254.169.254',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    'fe80::1',
    '::',
    '::ffff:127.0.0.1',
    '',
    '168.63.129.16',
    '100.100.100.200',
    '100.96.0.96',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd20:ce::254',
  ])('never permits %s, not even for a listed host', (address) => {
    expect(outbound.isAllowedAddress(address, 'mcp', 80)).toBe(false);
  });

  it('permits HTTPS, and HTTP to listed hosts', () => {
    expect(problemOf('https://any.example/x')).toBeUndefined();
    expect(problemOf('http://mcp:8080/x')).toBeUndefined();
    expect(problemOf('http://10.0.0.5/')).toBeUndefined();
    for (const url of ['http://any.example', 'http://localhost:8009', 'ftp://mcp', 'file:///etc/passwd', 'data:,x']) {
      expect(problemOf(url), url).toBe('scheme');
    }
  });

  it('refuses credentials in URLs and forbidden addresses', () => {
    expect(problemOf('https://user@any.example/')).toBe('credentials');
    expect(problemOf('https://:secret@any.example/')).toBe('credentials');
    for (const host of ['127.1', '0x7f000001', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254', '10.0.0.6']) {
      expect(problemOf(`https://${host}/`), host).toBe('address');
    }
  });

  it.each([
    '127.0.0.1',
    '127.255.3.4',
    '10.1.2.3',
    '172.16.0.9',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.251',
    '255.255.255.255',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
  ])('recognises %s in every spelling', (address) => {
    for (const host of spellingsOf(address)) {
      expect(problemOf(`https://${host}/`), host).toBe('address');
      expect(problemOf(`https://${host}:8443/`), host).toBe('address');
    }
  });
});

/** As URL parsers read IPv4 addresses: each part in three bases, the last parts joined; and as a part of an IPv6 address. */
function spellingsOf(address: string): string[] {
  const parts = address.split('.').map(Number);
  const bases: ((part: number) => string)[] = [
    (part) => String(part),
    (part) => `0x${part.toString(16)}`,
    (part) => `0X${part.toString(16).toUpperCase()}`,
    (part) => `0${part.toString(8)}`,
    (part) => `000${part.toString(8)}`,
  ];
  const joined = [1, 2, 3, 4].map((count) => {
    const last = parts.slice(count - 1).reduce((value, part) => value * 256 + part, 0);
    return [...parts.slice(0, count - 1), last];
  });
  const v4 = joined.flatMap((numbers) => bases.map((base) => numbers.map(base).join('.')));
  const hex = parts.map((part) => part.toString(16).padStart(2, '0'));
  const low = `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`;
  const v6 = [`::ffff:${address}`, `::ffff:${low}`, `0:0:0:0:0:FFFF:${low}`, `::${address}`, `64:ff9b::${address}`];
  return [...v4, ...v4.map((host) => `${host}.`), ...[...v6, `2002:${low}::`].map((host) => `[${host}]`)];
}
