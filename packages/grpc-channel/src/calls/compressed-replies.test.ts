import { gzipSync } from 'node:zlib';
import { failureOf } from '@mlango/test-services/channel-contract';
import { describe, expect, it } from 'vitest';
import { BOTH_CHANNELS } from '../../test/both-channels.js';
import { GRPC_REPLY, message, OK, onRequest, sendHeaders } from '../../test/frame-peer.js';
import { echo, meetPeer } from '../../test/meet-peer.js';
import { GRPC_CODES } from '../grpc-code.js';
import { FLAG, FRAME } from '../http2/frames.js';

describe.each(BOTH_CHANNELS)('a compressed reply, over %s,', (_, open) => {
  const meet = meetPeer(open);
  const answered = async (encoding: string | undefined, bytes: Uint8Array) => {
    const { node } = await meet(
      onRequest((to, id) => {
        sendHeaders(to, id, [...GRPC_REPLY, ...(encoding === undefined ? [] : [['grpc-encoding', encoding] as const])]);
        to.send(FRAME.data, 0, id, message([...bytes], 1));
        sendHeaders(to, id, OK, FLAG.endStream);
      }),
    );
    return node;
  };

  it('is decoded if it is gzip', async () => {
    const plain = Buffer.alloc(20_000, 7);
    expect(Buffer.from((await echo(await answered('gzip', gzipSync(plain)))).message)).toEqual(plain);
  });

  it('of no bytes is decoded', async () => {
    expect((await echo(await answered('gzip', gzipSync(Buffer.alloc(0))))).message).toHaveLength(0);
  });

  it('is refused if it is too large after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    expect(await failureOf(echo(await answered('gzip', bomb)))).toMatchObject({ tooLarge: true });
  });

  it.each([
    ['no gzip', 'gzip', Buffer.of(1, 2, 3)],
    ['of an unknown kind', 'zstd', Buffer.of(1)],
    ['of no named kind', undefined, Buffer.of(1)],
  ])('is a failure of the node if it is %s', async (_case, encoding, bytes) => {
    const { code } = await failureOf(echo(await answered(encoding, bytes)));
    expect([GRPC_CODES.internal, GRPC_CODES.unimplemented, GRPC_CODES.unknown]).toContain(code);
  });
});

describe('our requests', () => {
  const meet = meetPeer();

  it('offer gzip', async () => {
    const { peer, node } = await meet(
      onRequest((to, id) => {
        sendHeaders(to, id, GRPC_REPLY);
        to.send(FRAME.data, 0, id, message([7]));
        sendHeaders(to, id, OK, FLAG.endStream);
      }),
    );
    await echo(node);
    expect(peer.received(FRAME.headers)[0]?.payload.toString('latin1')).toContain('gzip,identity');
  });
});
