import type { Outbound } from '@mlango/outbound/outbound';
import { parseJson } from '../../parse-json.js';
import type { MediaSource } from './attachment-source.js';
import { type FetchedFile, type FileRequest, fetchFile } from './fetch-file.js';
import { ReadError } from './read-problem.js';

/** A homeserver, and the user's own token for it. */
export interface Homeserver extends Pick<FileRequest, 'mayLeadTo' | 'signal'> {
  readonly origin: string;
  readonly accessToken: string;
}

/**
 * The bytes of media, by the user's own token. A homeserver from before Matrix 1.11 knows no such path, and has media for
 * whoever asks; it is asked without the token then.
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
