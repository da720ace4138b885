import { isIP } from 'node:net';
import { bareHost } from '@mlango/outbound/named-hosts';
import { isPublicAddress } from '@mlango/outbound/public-address';
import type { StoredAttachment } from '../../../store/sessions.js';
import { ReadError } from './read-problem.js';

/** Media of a homeserver. */
export interface MediaSource {
  readonly kind: 'media';
  readonly server: string;
  readonly mediaId: string;
}

/** Location of a file. */
export type AttachmentSource =
  | MediaSource
  | { readonly kind: 'event'; readonly roomId: string; readonly eventId: string }
  | { readonly kind: 'upload'; readonly attachmentId: string }
  | { readonly kind: 'web'; readonly url: URL };

/** Source: the Matrix specification's grammar of server names and of content URIs. */
const mxc = /^mxc:\/\/((?:[A-Za-z0-9.-]{1,230}|\[[\da-fA-F:.]{2,45}\])(?::\d{1,5})?)\/([A-Za-z0-9_-]{1,255})$/;
const mediaPath =
  /^\/_matrix\/(?:client\/v1\/media|media\/(?:v3|r0))\/download\/([^/]{1,240})\/([A-Za-z0-9_-]{1,255})(?:\/[^/]*)?$/;
const roomPattern = /^![^\s]{1,254}$/;

/**
 * Finds the location of an attachment in the fields of a message. A URL of the homeserver's own media counts as that media, because
 * some clients send such URLs.
 * @throws ReadError
 */
export function sourceOf(
  { mxcUri, eventId, attachmentId }: Pick<StoredAttachment, 'mxcUri' | 'eventId' | 'attachmentId'>,
  { homeserver, roomId }: { readonly homeserver: string | undefined; readonly roomId: string | undefined },
): AttachmentSource {
  if (attachmentId !== undefined) return { kind: 'upload', attachmentId };
  // If both are present, the event wins: it has the keys of an encrypted file.
  const isEvent = eventId !== undefined && roomId !== undefined && roomPattern.test(roomId);
  if (isEvent) return { kind: 'event', roomId, eventId };
  if (mxcUri === undefined) throw new ReadError('room_missing');
  return /^mxc:/i.test(mxcUri) ? mediaOf(mxcUri) : webSource(mxcUri, homeserver);
}

/** @throws ReadError */
export function mediaOf(uri: string): MediaSource {
  const [, server = '', mediaId = ''] = mxc.exec(uri) ?? [];
  if (server === '' || !isServerName(server)) throw new ReadError('bad_address');
  return { kind: 'media', server, mediaId };
}

/** Whether a server name is public. The homeserver fetches from that server, so it must not be in the homeserver's own network. */
function isServerName(server: string): boolean {
  if (!URL.canParse(`https://${server}`)) return false;
  const host = bareHost(new URL(`https://${server}`).hostname);
  return isIP(host) === 0 || isPublicAddress(host);
}

function webSource(text: string, homeserver: string | undefined): AttachmentSource {
  if (!URL.canParse(text)) throw new ReadError('bad_address');
  const url = new URL(text);
  const [, server, mediaId] = url.origin === homeserver ? (mediaPath.exec(url.pathname) ?? []) : [];
  if (server === undefined || mediaId === undefined) return { kind: 'web', url };
  return mediaOf(`mxc://${server.replace(/%3a/i, ':')}/${mediaId}`);
}
