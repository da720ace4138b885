import type { Permit } from '@mlango/service-kit/async';
import { addressKey } from '@mlango/service-kit/http-app';
import type { FastifyReply } from 'fastify';
import type { ReplyBytes } from '../nodes/byte-budget.js';

/** Replies up to this fit what a connection buffers anyway, and there are no more of them than connections. */
const SMALL_BYTES = 16 * 1024;

/** Counts a reply until its connection is done with it. False when there is no room, in all or for its address. */
export function holdReply(replyBytes: ReplyBytes, reply: FastifyReply, bytes: number): boolean {
  if (bytes <= SMALL_BYTES) return true;
  const release = take(replyBytes, reply.request.ip, bytes);
  if (release === undefined) return false;
  reply.raw.once('close', release);
  return true;
}

/** The parts of a reply, each counted until the next one is asked for. @throws {Error} where there is no room */
export async function* holdParts(
  replyBytes: ReplyBytes,
  { ip }: FastifyReply['request'],
  parts: AsyncIterable<string | Buffer>,
): AsyncGenerator<string | Buffer> {
  for await (const part of parts) {
    const release = take(replyBytes, ip, part.length);
    if (release === undefined) throw new Error('too many bytes of replies wait for their readers');
    try {
      yield part;
    } finally {
      release();
    }
  }
}

/** A reply larger than a share counts as a whole share, so that none is too large for ever. */
function take(replyBytes: ReplyBytes, ip: string, bytes: number): (() => void) | undefined {
  const { readers } = replyBytes;
  const permit: Permit | { readonly full: string } = readers.tryAcquire(
    { address: addressKey(ip) },
    Math.min(bytes, readers.shareOf('address') ?? bytes),
  );
  if ('full' in permit) return undefined;
  if (!replyBytes.take(bytes)) {
    permit.release();
    return undefined;
  }
  return () => {
    permit.release();
    replyBytes.give(bytes);
  };
}
