import { describe, expect, it } from 'vitest';
import { type HeaderPairs, toMetadata, toReplyHeaders, toReplyTrailers } from './metadata.js';

const caller = { address: '192.0.2.1', host: 'gateway.example' };
const own = [
  ['x-forwarded-for', '192.0.2.1'],
  ['x-forwarded-host', 'gateway.example'],
];
const sent = (headers: HeaderPairs) => toMetadata(headers, caller).slice(0, -own.length);

describe('toMetadata', () => {
  it('passes Grpc-Metadata-* without the prefix, repeats in order', () => {
    expect(
      sent([
        ['Grpc-Metadata-Foo-BAZ', 'a'],
        ['grpc-metadata-foo-baz', 'b'],
      ]),
    ).toEqual([
      ['foo-baz', 'a'],
      ['foo-baz', 'b'],
    ]);
  });

  it('passes credentials under both names and drops everything else', () => {
    expect(
      sent([
        ['Authorization', 'Bearer x'],
        ['Cookie', 'y'],
        ['Accept', '*/*'],
      ]),
    ).toEqual([
      ['authorization', 'Bearer x'],
      ['grpcgateway-authorization', 'Bearer x'],
    ]);
  });

  it('passes the first credential only', () => {
    const twice: HeaderPairs = [
      ['Authorization', 'a'],
      ['authorization', 'b'],
      ['grpc-metadata-authorization', 'c'],
    ];
    expect(sent(twice).filter(([name]) => name === 'authorization')).toEqual([['authorization', 'a']]);
  });

  it('forwards configured HTTP headers under their own names, and no others', () => {
    const headers: HeaderPairs = [
      ['User-Agent', 'curl'],
      ['Accept-Language', 'sw'],
      ['Cookie', 'a=b'],
      ['Accept-Language', 'é'],
    ];
    expect(toMetadata(headers, caller, new Set(['user-agent', 'accept-language'])).slice(0, -own.length)).toEqual([
      ['grpcgateway-user-agent', 'curl'],
      ['grpcgateway-accept-language', 'sw'],
    ]);
    expect(sent(headers)).toEqual([]);
  });

  it('decodes binary values and drops broken ones', () => {
    expect(sent([['Grpc-Metadata-Key-Bin', 'AQI=']])).toEqual([['key-bin', Uint8Array.of(1, 2)]]);
    expect(sent([['Grpc-Metadata-Key-Bin', 'not base64!']])).toEqual([]);
    expect(sent([['Grpc-Metadata-Key-Bin', 'AQI=, _w,,+/8=']])).toEqual([
      ['key-bin', Uint8Array.of(1, 2)],
      ['key-bin', Uint8Array.of(255)],
      ['key-bin', Uint8Array.of()],
      ['key-bin', Uint8Array.of(251, 255)],
    ]);
    expect(sent([['Grpc-Metadata-Key-Bin', 'AQI=, no!']])).toEqual([]);
  });

  it.each([
    'Grpc-Metadata-Grpc-Timeout',
    'Grpc-Metadata-Connection',
    'Grpc-Metadata-TE',
    'Grpc-Metadata-Host',
    'Grpc-Metadata-Content-Type',
    'Grpc-Metadata-X-Forwarded-For',
    'Grpc-Metadata-',
    'Grpc-Metadata-a b',
  ])('drops %s, which the caller may not set', (name) => {
    expect(sent([[name, 'x']])).toEqual([]);
  });

  it('drops values that gRPC cannot carry', () => {
    expect(
      sent([
        ['Grpc-Metadata-A', 'é'],
        ['Grpc-Metadata-B', 'a\u0000b'],
        ['Authorization', 'é'],
      ]),
    ).toEqual([]);
  });

  it('forwards the caller’s address', () => {
    expect(toMetadata([], caller)).toEqual(own);
  });
});

describe('toReplyHeaders', () => {
  it('prefixes a server’s metadata, and writes bytes in base64', () => {
    const headers = toReplyHeaders([
      ['a', '1'],
      ['a', '2'],
      ['b-bin', Uint8Array.of(255)],
    ]);
    expect(Object.fromEntries(headers)).toEqual({
      'grpc-metadata-a': ['1', '2'],
      'grpc-metadata-b-bin': ['/w=='],
    });
  });

  it('drops hop-by-hop headers, and values that would break out of a header', () => {
    const headers = toReplyHeaders([
      ['content-type', 'application/grpc'],
      ['grpc-encoding', 'x'],
      ['a', 'b\r\nc: d'],
    ]);
    expect(Object.fromEntries(headers)).toEqual({});
  });
});

describe('metadata beyond the limit of a reply', () => {
  const chatter = (count: number) =>
    Array.from({ length: count }, (_, at): [string, string] => [`n${at % 7}`, 'x'.repeat(90)]);
  const bytesOf = (headers: ReadonlyMap<string, readonly string[]>) =>
    [...headers].reduce(
      (sum, [name, values]) => sum + values.reduce((more, value) => more + name.length + value.length, 0),
      0,
    );

  it('is returned up to 8 KB', () => {
    const headers = toReplyHeaders(chatter(5000));
    expect(bytesOf(headers)).toBeLessThanOrEqual(8 * 1024);
    expect(bytesOf(headers)).toBeGreaterThan(7 * 1024);
    expect(bytesOf(toReplyTrailers(chatter(5000)))).toBeLessThanOrEqual(8 * 1024);
  });

  it('keeps short entries if others are too long', () => {
    expect(
      Object.fromEntries(
        toReplyHeaders([
          ['a', 'x'.repeat(9000)],
          ['b', '1'],
        ]),
      ),
    ).toEqual({ 'grpc-metadata-b': ['1'] });
  });
});

describe('toReplyTrailers', () => {
  it('prefixes a node’s trailers and drops those of gRPC itself', () => {
    const trailers = toReplyTrailers([
      ['after', 'all'],
      ['grpc-status', '0'],
      ['grpc-status-details-bin', Uint8Array.of(1)],
    ]);
    expect(Object.fromEntries(trailers)).toEqual({ 'grpc-trailer-after': ['all'] });
  });
});
