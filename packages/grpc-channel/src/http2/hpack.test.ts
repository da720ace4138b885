import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { callTo } from '@mlango/test-services/channel-contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { http2Channel } from '../calls/http2-channel.js';
import { ConnectionError } from './frames.js';
import { decodeHuffman, type Header, HeaderDecoder } from './hpack-decoder.js';
import { encodeHeaders } from './hpack-encoder.js';

/** Trailers from the encoder of node:http2, which uses every part of HPACK, read by ours. */
async function trailersOver(
  batches: readonly OutgoingHttpHeaders[],
  settings: { readonly headerTableSize?: number } = {},
): Promise<Record<string, string>[]> {
  const server = createServer({ settings });
  let turn = 0;
  server.on('stream', (stream) => {
    const trailers = { 'grpc-status': '0', ...batches[turn] };
    turn += 1;
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.end(Buffer.alloc(5));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const node = http2Channel({
    target: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    maxReceiveBytes: 1000,
  });
  try {
    const seen: Record<string, string>[] = [];
    for (const _ of batches) {
      const { trailers } = await node.unary(...callTo('Echo'));
      seen.push(Object.fromEntries(trailers.map(([name, value]) => [name, String(value)])));
    }
    return seen;
  } finally {
    node.close();
    server.close();
  }
}

describe('the headers of another implementation', () => {
  it('are decoded, for any characters', async () => {
    const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
    const batches = printable.map((character) => ({ text: `a${character.repeat(9)}z` }));
    expect(await trailersOver(batches)).toEqual(batches);
  });

  it('are decoded repeatedly while the table fills and empties', async () => {
    const batches = Array.from({ length: 120 }, (_, index) => ({
      height: String(index),
      same: 'always',
      [`name-${index % 50}`]: 'x'.repeat(index * 5),
    }));
    expect(await trailersOver(batches)).toEqual(batches);
  });

  it('are encoded so that a decoder without a table can read them', async () => {
    const batches = [{ a: '1' }, { a: '2' }, { a: '3' }];
    expect(await trailersOver(batches, { headerTableSize: 0 })).toEqual(batches);
  });
});

describe('our headers', () => {
  it('are decoded by another implementation, at any length', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const long = ['x'.repeat(126), 'x'.repeat(127), 'x'.repeat(128), 'y'.repeat(5000), 'z'.repeat(20_000)];
    const seen = new Promise((resolve) =>
      server.once('stream', (stream, headers) => {
        stream.respond({ ':status': 200 }, { endStream: true });
        resolve(headers);
      }),
    );
    const node = http2Channel({ target: `127.0.0.1:${(server.address() as AddressInfo).port}`, maxReceiveBytes: 10 });
    void node
      .unary(...callTo('Echo', { metadata: long.map((value, index) => [`h${index}`, value]) }))
      .catch(() => undefined);
    expect(await seen).toMatchObject(Object.fromEntries(long.map((value, index) => [`h${index}`, value])));
    node.close();
    server.close();
  });

  it('are decoded by this implementation', () => {
    const header = fc.tuple(fc.stringMatching(/^[a-z-]{1,20}$/), fc.stringMatching(/^[ -~]{0,300}$/));
    fc.assert(
      fc.property(fc.array(header), (headers) => {
        expect(new HeaderDecoder().decode(encodeHeaders(headers))).toEqual(headers);
      }),
    );
  });
});

describe('hostile headers', () => {
  it('end in a connection error for any bytes', () => {
    const outcome = (run: () => unknown): boolean => {
      try {
        run();
        return true;
      } catch (error) {
        return error instanceof ConnectionError;
      }
    };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const block = Buffer.from(bytes);
        expect(outcome(() => new HeaderDecoder().decode(block))).toBe(true);
        expect(outcome(() => decodeHuffman(block))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('cannot grow without bound by repeated references to one entry', () => {
    const decoder = new HeaderDecoder();
    const entry = Buffer.concat([
      Buffer.of(0x40, 1),
      Buffer.from('a'),
      Buffer.of(0x7f, 0xa1, 0x1e),
      Buffer.alloc(4000, 0x62),
    ]);
    decoder.decode(entry);
    expect(decoder.decode(Buffer.alloc(2000, 0xbe))).toBeUndefined();
  });

  it.each<[string, Header[]]>([
    ['one text', [['a', 'x'.repeat(70_000)]]],
    ['one text of more bytes than are decoded', [['a', 'x'.repeat(300_000)]]],
    ['many texts', Array.from({ length: 300 }, (_, index): Header => [`name-${index}`, 'x'.repeat(300)])],
  ])('that are too large as %s still update the table', (_, large) => {
    const decoder = new HeaderDecoder();
    const entry = Buffer.concat([Buffer.of(0x40, 1), Buffer.from('k'), Buffer.of(1), Buffer.from('v')]);
    expect(decoder.decode(Buffer.concat([encodeHeaders(large), entry]))).toBeUndefined();
    expect(decoder.decode(Buffer.of(0xbe))).toEqual([['k', 'v']]);
  });
});
