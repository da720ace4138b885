import type { Outbound } from '@mlango/outbound/outbound';
import { z } from 'zod';
import { parseJson } from '../../parse-json.js';
import { type EncryptedFile, encryptedFile } from './decrypt-file.js';
import { fetchFile } from './fetch-file.js';
import { bytesOrProblem, type Homeserver } from './matrix-media.js';
import { ReadError } from './read-problem.js';

/** Matrix allows an event 65,536 bytes; the reply has a few fields more. */
const eventBytes = 131_072;

const roomEvent = z.object({
  type: z.string(),
  content: z.object({ url: z.string().max(2_048).optional(), file: z.unknown().optional() }),
});

/** Where the file of an event is, and how it is read where it was encrypted. */
export interface EventFile {
  readonly mxcUri: string;
  readonly encrypted?: EncryptedFile;
}

/**
 * The file that an event of a room tells of, read by the user's own token.
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
