import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Metadata, Reply } from '@mlango/grpc-channel';
import { z } from 'zod';

/** Smaller replies are not compressed. */
const COMPRESSED_BYTES = 1024;
/** Maximum size of a reply, decompressed. */
const LIMIT_BYTES = 1024 * 1024;
/** Fast compression: the default level takes twice as long for little gain. */
const LEVEL = 1;
const SUM_BYTES = 8;
const [PLAIN, DEFLATED] = [1, 2];

const metadata = z.array(z.tuple([z.string(), z.union([z.string(), z.object({ base64: z.string() })])]));
const aside = z.object({ headers: metadata, trailers: metadata });

/** Encodes a reply: checksum, format, payload. `undefined` for a reply that is too large to share. */
export async function packReply({ message, headers, trailers }: Reply): Promise<Buffer | undefined> {
  if (message.length > LIMIT_BYTES) return undefined;
  const written = Buffer.from(JSON.stringify({ headers: toJson(headers), trailers: toJson(trailers) }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(written.length);
  const whole = Buffer.concat([length, written, message]);
  const isLong = whole.length >= COMPRESSED_BYTES;
  const body = isLong ? await promisify<Buffer, object, Buffer>(deflateRaw)(whole, { level: LEVEL }) : whole;
  const payload = Buffer.concat([Uint8Array.of(isLong ? DEFLATED : PLAIN), body]);
  return Buffer.concat([sumOf(payload), payload]);
}

/** Decodes a reply; `undefined` for corrupt bytes. */
export async function unpackReply(packed: Buffer): Promise<Reply | undefined> {
  const payload = packed.subarray(SUM_BYTES);
  if (payload.length < 1 || !sumOf(payload).equals(packed.subarray(0, SUM_BYTES))) return undefined;
  try {
    const body = payload.subarray(1);
    const whole = payload[0] === DEFLATED ? await inflate(body, { maxOutputLength: 2 * LIMIT_BYTES }) : body;
    const end = 4 + whole.readUInt32BE(0);
    const { headers, trailers } = aside.parse(JSON.parse(whole.toString('utf8', 4, end)));
    return { message: whole.subarray(end), headers: fromJson(headers), trailers: fromJson(trailers) };
  } catch {
    return undefined;
  }
}

const inflate = promisify<Buffer, object, Buffer>(inflateRaw);

function sumOf(payload: Buffer): Buffer {
  return createHash('sha256').update(payload).digest().subarray(0, SUM_BYTES);
}

function toJson(pairs: Metadata): z.output<typeof metadata> {
  return pairs.map(([name, value]) => [
    name,
    typeof value === 'string' ? value : { base64: Buffer.from(value).toString('base64') },
  ]);
}

function fromJson(pairs: z.output<typeof metadata>): Metadata {
  return pairs.map(([name, value]) => [name, typeof value === 'string' ? value : Buffer.from(value.base64, 'base64')]);
}
