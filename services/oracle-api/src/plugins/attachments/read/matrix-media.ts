import { createDecipheriv, createHash } from 'node:crypto';
import type { Outbound } from '@mlango/outbound/outbound';
import { parseJson } from '@mlango/service-kit/parse-json';
import { z } from 'zod';
import type { MediaSource } from './attachment-source.js';
import { type FetchedFile, type FileRequest, fetchFile } from './fetch-file.js';
import { ReadError } from './read-problem.js';

/** An encrypted file in an event. Source: the Matrix specification, EncryptedFile. */
export const encryptedFile = z.object({
  url: z.string().max(2_048),
  v: z.literal('v2'),
  key: z.object({ kty: z.literal('oct'), alg: z.literal('A256CTR'), k: z.string().max(64) }),
  iv: z.string().max(64),
  hashes: z.object({ sha256: z.string().max(64) }),
});
export type EncryptedFile = z.output<typeof encryptedFile>;

const keyBytes = 32;
const ivBytes = 16;
const hashBytes = 32;

/**
 * Decrypts a file. The cipher does not detect changes, so the hash is checked first.
 * @throws ReadError
 */
export function decryptFile(bytes: Buffer, { key, iv, hashes }: EncryptedFile): Buffer {
  const secret = Buffer.from(key.k, 'base64');
  const counter = Buffer.from(iv, 'base64');
  const hash = Buffer.from(hashes.sha256, 'base64');
  const isWhole = secret.length === keyBytes && counter.length === ivBytes && hash.length === hashBytes;
  const found = createHash('sha256').update(bytes).digest();
  if (!isWhole || !found.equals(hash)) throw new ReadError('damaged');
  const decipher = createDecipheriv('aes-256-ctr', secret, counter);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
}

/** A homeserver, and the user's own token for it. */
export interface Homeserver extends Pick<FileRequest, 'mayLeadTo' | 'signal'> {
  readonly origin: string;
  readonly accessToken: string;
}

/**
 * Reads media with the user's own token. A homeserver older than Matrix 1.11 has only the unauthenticated endpoint, which is called
 * without the token.
 * @throws ReadError
 */
export async function readMedia(
  outbound: Outbound,
  { server, mediaId }: MediaSource,
  { origin, accessToken, ...rest }: Homeserver,
  limitBytes: number,
): Promise<Buffer> {
  const place = `${encodeURIComponent(server)}/${mediaId}`;
  const url = new URL(`/_matrix/client/v1/media/download/${place}`, origin);
  const reply = await fetchFile(outbound, { url, accessToken, limitBytes, ...rest });
  if (reply.status !== 404 || errorCode(reply) !== 'M_UNRECOGNIZED') return bytesOrProblem(reply);
  const older = new URL(`/_matrix/media/v3/download/${place}?allow_redirect=true`, origin);
  return bytesOrProblem(await fetchFile(outbound, { url: older, limitBytes, ...rest }));
}

/** @throws ReadError */
export function bytesOrProblem({ status, bytes }: FetchedFile): Buffer {
  if (status === 200) return bytes;
  if (status === 401 || status === 403) throw new ReadError('no_access');
  if (status === 404 || status === 410) throw new ReadError('absent');
  throw new ReadError(status === 413 ? 'too_large' : 'unreachable');
}

/** Source: the Matrix specification, standard error response. */
function errorCode({ bytes }: FetchedFile): unknown {
  const body = parseJson(bytes.toString('utf8'));
  return typeof body === 'object' && body !== null && 'errcode' in body ? body.errcode : undefined;
}

/** Matrix limits an event to 65,536 bytes; the reply has a few more fields. */
const eventBytes = 131_072;

const roomEvent = z.object({
  type: z.string(),
  content: z.object({ url: z.string().max(2_048).optional(), file: z.unknown().optional() }),
});

/** Location of an event's file, and its decryption keys if it is encrypted. */
export interface EventFile {
  readonly mxcUri: string;
  readonly encrypted?: EncryptedFile;
}

/**
 * Reads the file of a room event with the user's own token.
 * @throws ReadError
 */
export async function readRoomEvent(
  outbound: Outbound,
  { roomId, eventId }: { readonly roomId: string; readonly eventId: string },
  { origin, ...rest }: Homeserver,
): Promise<EventFile> {
  const [room, event] = [roomId, eventId].map(encodeURIComponent);
  const url = new URL(`/_matrix/client/v3/rooms/${room}/event/${event}`, origin);
  return fileOf(bytesOrProblem(await fetchFile(outbound, { url, limitBytes: eventBytes, ...rest })));
}

function fileOf(bytes: Buffer): EventFile {
  const event = roomEvent.safeParse(parseJson(bytes.toString('utf8')));
  if (!event.success) throw new ReadError('no_file');
  const { type, content } = event.data;
  if (type === 'm.room.encrypted') throw new ReadError('encrypted_event');
  if (content.file !== undefined && content.file !== null) {
    const encrypted = encryptedFile.safeParse(content.file);
    if (!encrypted.success) throw new ReadError('damaged');
    return { mxcUri: encrypted.data.url, encrypted: encrypted.data };
  }
  if (content.url === undefined) throw new ReadError('no_file');
  return { mxcUri: content.url };
}
