import { describe, expect, it } from 'vitest';
import { createOutbound } from './outbound.js';

describe('the way out', () => {
  const privateHosts = [{ host: 'mcp' }, { host: 'localhost', port: 8008 }, { host: '10.0.0.5' }];
  const outbound = createOutbound({ privateHosts });
  const problemOf = (url: string) => outbound.problemOf(new URL(url));

  it('leads to public addresses, and to those of networks of one’s own for hosts that are named', () => {
    const { isAllowedAddress } = outbound;
    expect(isAllowedAddress('93.184.215.14', 'any.example', 443)).toBe(true);
    expect(isAllowedAddress('172.18.0.4', 'mcp', 8080)).toBe(true);
    expect(isAllowedAddress('127.0.0.1', 'localhost', 8008)).toBe(true);
    expect(isAllowedAddress('127.0.0.1', 'localhost', 8009)).toBe(false);
    expect(isAllowedAddress('172.18.0.4', 'mcp.evil.example', 8080)).toBe(false);
  });

  it.each(['169.254.169.254', '0.0.0.0', '224.0.0.1', '255.255.255.255', 'fe80::1', '::', '::ffff:127.0.0.1', ''])(
    'never leads to %s',
    (address) => {
      expect(outbound.isAllowedAddress(address, 'mcp', 80)).toBe(false);
    },
  );

  it('is HTTPS, and HTTP to hosts that are named', () => {
    expect(problemOf('https://any.example/x')).toBeUndefined();
    expect(problemOf('http://mcp:8080/x')).toBeUndefined();
    expect(problemOf('http://10.0.0.5/')).toBeUndefined();
    for (const url of ['http://any.example', 'http://localhost:8009', 'ftp://mcp', 'file:///etc/passwd', 'data:,x']) {
      expect(problemOf(url), url).toBe('scheme');
    }
  });

  it('has no user, and no address that is not to be called', () => {
    expect(problemOf('https://user@any.example/')).toBe('credentials');
    expect(problemOf('https://:secret@any.example/')).toBe('credentials');
    for (const host of ['127.1', '0x7f000001', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254', '10.0.0.6']) {
      expect(problemOf(`https://${host}/`), host).toBe('address');
    }
  });
});
