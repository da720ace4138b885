import { ServiceError } from '@mlango/service-kit/errors';

/** Escapes of characters that need none (RFC 3986 2.3): a service or a proxy may read them as the characters. */
const needlessEscape = /%(2d|2e|5f|7e|3[0-9]|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/i;
/** Repeated slashes, and separators of parameters and fragments, which some servers drop. */
const droppedBySome = /\/\/|[;#]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused
const unreadableOnceDecoded = /%[0-9a-f]{2}|[\\\x00-\x1f\x7f]/i;
const dotSegment = /\/\.{1,2}(\/|$)/;

/**
 * Reads the path of a request target below a prefix, decoded, for comparison with the paths that may pass.
 * A path passes only in its normal form, so that no server behind this one reads another path from the same bytes.
 *
 * @param target the request target as it arrived, with its query
 * @param prefix the first segments, in plain characters
 * @throws {ServiceError} `invalid_argument` for a path that is not in normal form
 */
export function requestPath(target: string, prefix: string): string {
  const sent = target.split('?', 1)[0] ?? '';
  if (!sent.startsWith(prefix) || needlessEscape.test(sent) || droppedBySome.test(sent)) throw unreadablePath();
  const path = decoded(sent.slice(prefix.length));
  if (unreadableOnceDecoded.test(path) || dotSegment.test(path)) throw unreadablePath();
  return path;
}

export function unreadablePath(cause?: unknown): ServiceError {
  return new ServiceError('invalid_argument', 'This path cannot be read', { cause });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    throw unreadablePath(error);
  }
}
