import { WIRE, WireCursor } from './cursor.js';
import { JsonText } from './json-text.js';

/** A writer without output. */
let nowhere: JsonText | undefined;

/** The bytes of a field of a message; of several the last ones. Throws on bytes that are no message. */
export function lastBytesOf(message: Uint8Array, fieldNumber: number): Uint8Array | undefined {
  nowhere ??= new JsonText();
  const cursor = new WireCursor(message, nowhere);
  const end = message.length;
  const wanted = ((fieldNumber << 3) | WIRE.bytes) >>> 0;
  let found: Uint8Array | undefined;
  for (let tag = cursor.tag(end); tag !== 0; tag = cursor.tag(end)) {
    if (tag === wanted) {
      const valueEnd = cursor.endOfBytes(end);
      found = message.subarray(cursor.pos, valueEnd);
      cursor.pos = valueEnd;
    } else cursor.skip(tag, end);
  }
  return found;
}
