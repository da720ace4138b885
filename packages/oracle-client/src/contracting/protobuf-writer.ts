/** A field of a message: its number, and a text, a whole number from 0 on, or a message or bytes that are encoded already. */
export type ProtobufField = readonly [number: number, value: string | number | Uint8Array];

const utf8 = new TextEncoder();

/**
 * A protobuf message of a few fields, in the order given. What is empty or 0 is left out, as proto3 has it, but for messages,
 * which may be empty and there.
 */
export function protobufMessage(fields: readonly ProtobufField[]): Uint8Array {
  const bytes: number[] = [];
  for (const [number, value] of fields) {
    if (value === '' || value === 0) continue;
    if (typeof value === 'number') {
      bytes.push(...varint(number * 8), ...varint(value));
    } else {
      const content = typeof value === 'string' ? utf8.encode(value) : value;
      bytes.push(...varint(number * 8 + 2), ...varint(content.length), ...content);
    }
  }
  return Uint8Array.from(bytes);
}

function varint(value: number): number[] {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no whole number from 0 on`);
  const bytes = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}
