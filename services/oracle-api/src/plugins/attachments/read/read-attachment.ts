import { bareHost, isNamedHost, portOf } from '@mlango/outbound/named-hosts';
import type { Outbound } from '@mlango/outbound/outbound';
import type { MatrixSession } from '../../../agent/turn-request.js';
import type { StoredAttachment } from '../../../store/sessions.js';
import { type AttachmentSettings, homeserverOrigin } from '../settings.js';
import { type AttachmentSource, mediaOf, sourceOf } from './attachment-source.js';
import { fetchFile } from './fetch-file.js';
import { bytesOrProblem, decryptFile, type Homeserver, readMedia, readRoomEvent } from './matrix-media.js';
import { ReadError } from './read-problem.js';

export interface ReadingParts {
  readonly outbound: Outbound;
  readonly settings: AttachmentSettings;
  readonly session: MatrixSession;
  /** The room of events that attachments name. */
  readonly roomId: string | undefined;
  /** A file that was uploaded for the session; undefined if there is none. */
  readonly uploaded: (attachmentId: string) => Promise<Buffer | undefined>;
  readonly signal: AbortSignal;
}

/**
 * Reads the bytes of an attachment, decrypted with the keys of its event.
 * @throws ReadError
 */
export async function readAttachment(attachment: StoredAttachment, parts: ReadingParts): Promise<Buffer> {
  const { settings, session, roomId } = parts;
  if ((attachment.size ?? 0) > settings.ATTACHMENT_MAX_BYTES) throw new ReadError('too_large');
  const homeserver = session.homeserver === undefined ? undefined : homeserverOrigin(session.homeserver);
  const source = sourceOf(attachment, { homeserver, roomId });
  if (source.kind === 'upload') return readUpload(source.attachmentId, parts);
  return source.kind === 'web' ? readWeb(source.url, parts) : readFromMatrix(source, parts, homeserver);
}

async function readUpload(attachmentId: string, { uploaded, settings }: ReadingParts): Promise<Buffer> {
  const bytes = await uploaded(attachmentId);
  if (bytes === undefined) throw new ReadError('absent');
  // The limit may have been higher at the upload.
  if (bytes.length > settings.ATTACHMENT_MAX_BYTES) throw new ReadError('too_large');
  return bytes;
}

async function readFromMatrix(
  source: Exclude<AttachmentSource, { kind: 'web' | 'upload' }>,
  parts: ReadingParts,
  origin: string | undefined,
): Promise<Buffer> {
  const { outbound, settings } = parts;
  const homeserver = allowedHomeserver(parts, origin);
  if (source.kind === 'media') return readMedia(outbound, source, homeserver, settings.ATTACHMENT_MAX_BYTES);
  const { mxcUri, encrypted } = await readRoomEvent(outbound, source, homeserver);
  const bytes = await readMedia(outbound, mediaOf(mxcUri), homeserver, settings.ATTACHMENT_MAX_BYTES);
  return encrypted === undefined ? bytes : decryptFile(bytes, encrypted);
}

/** The token is sent only to homeservers that the operator configures. */
function allowedHomeserver(parts: ReadingParts, origin: string | undefined): Homeserver {
  const { settings, session, signal } = parts;
  if (settings.MATRIX_HOMESERVERS.length === 0) throw new ReadError('no_homeservers');
  if (session.homeserver === undefined) throw new ReadError('homeserver_missing');
  if (origin === undefined || !settings.MATRIX_HOMESERVERS.includes(origin)) {
    throw new ReadError('homeserver_not_allowed');
  }
  if (session.accessToken === undefined) throw new ReadError('token_missing');
  return { origin, accessToken: session.accessToken, mayLeadTo: isWebHost(settings), signal };
}

/** Reads from the web without a token, only from configured hosts. */
async function readWeb(url: URL, { outbound, settings, signal }: ReadingParts): Promise<Buffer> {
  const mayLeadTo = isWebHost(settings);
  if (!mayLeadTo(url)) throw new ReadError('host_not_allowed');
  return bytesOrProblem(
    await fetchFile(outbound, { url, mayLeadTo, limitBytes: settings.ATTACHMENT_MAX_BYTES, signal }),
  );
}

function isWebHost({ ATTACHMENT_HOSTS }: AttachmentSettings): (url: URL) => boolean {
  return (url) => isNamedHost(ATTACHMENT_HOSTS, bareHost(url.hostname), portOf(url));
}
