/** Bytes that go out in place of a reply's own. */
export type RawReplies = WeakMap<object, Buffer>;

const OVERSIZED_BYTES = 17 * 1024 * 1024;
// Field 2047 with a length: no message has it, so decoders skip the bytes after it.
const PADDING_TAG = Buffer.from([0xfa, 0x7f]);

/** A character of private use. Where a fixture has it in a text, the reply has bytes that are not UTF-8. */
export const NOT_UTF8 = '\uf8ff';
const NOT_UTF8_BYTES = Buffer.from(NOT_UTF8);
const INVALID_BYTES = Buffer.from([0xff, 0xfe, 0xfd]);

/** A message with bytes that are not UTF-8 in the places of `NOT_UTF8`. There are as many, so that all lengths stay. */
export function withInvalidUtf8(message: Buffer): Buffer {
  for (let at = message.indexOf(NOT_UTF8_BYTES); at >= 0; at = message.indexOf(NOT_UTF8_BYTES, at)) {
    INVALID_BYTES.copy(message, at);
  }
  return message;
}

/** A padding that makes any reply larger than 16 MiB, in an unknown field. */
export function oversizedReply(): Buffer {
  const length = [];
  for (let rest = OVERSIZED_BYTES; rest > 0; rest >>>= 7) length.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest);
  return Buffer.concat([PADDING_TAG, Buffer.from(length), Buffer.alloc(OVERSIZED_BYTES)]);
}

/** Bytes that are no message: field 1 announces more than there is. */
export function malformedReply(): Buffer {
  return Buffer.from([0x0a, 0x7f, 0x01]);
}
