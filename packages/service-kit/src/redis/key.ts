const LENGTH_LIMIT = 1_024;

/**
 * A key of the form `service:{tag}:part:part`. All keys with one tag lie on one cluster node, so a script or transaction
 * may touch them together. Parts may be any text: separators in a part are percent-encoded, so different parts never give one key.
 *
 * Throws a RangeError for a service that is no lower-case name, an empty tag, text that is no valid Unicode, and a key of
 * more than 1,024 characters: shorten such a part first, by a digest.
 */
export function key(service: string, tag: string, ...parts: readonly (string | number)[]): string {
  if (!/^[a-z][a-z0-9-]*$/.test(service)) throw new RangeError(`"${service}" is no service name for a key`);
  if (tag === '') throw new RangeError('a key needs a tag: an empty one puts no two keys on one node');
  const full = [service, `{${encode(tag)}}`, ...parts.map((part) => encode(String(part)))].join(':');
  if (full.length > LENGTH_LIMIT) throw new RangeError(`a key of ${full.length} characters, at most ${LENGTH_LIMIT}`);
  return full;
}

/** Fast path: nearly all parts need no encoding. */
const plain = /^[\w.=#-]*$/;

function encode(part: string): string {
  if (plain.test(part)) return part;
  if (/\p{Surrogate}/u.test(part)) throw new RangeError('a key part is no valid Unicode');
  return part.replace(/[%{}:\s\p{Cc}]/gu, encodeURIComponent);
}
