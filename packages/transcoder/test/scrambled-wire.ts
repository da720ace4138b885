import type { DescMessage } from '@bufbuild/protobuf';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** Numbers from 0 up to a limit, in an order a test can repeat. */
export type Dice = (limit: number) => number;

type Field = readonly [number: number, wireType: WireType, data: Uint8Array];

/** Numbers beyond those of any fixture. */
const UNKNOWN = 5000;

/**
 * Encodes a message as no encoder would and every decoder must read: fields in another order, values and messages sent several
 * times, lists packed and not, unknown fields and groups. The meaning of the message stays the same, except that single values
 * may be others, and lists and messages may hold more.
 */
export function scramble(desc: DescMessage, bytes: Uint8Array, dice: Dice, depth = 0): Uint8Array {
  const fields = splitFields(bytes).flatMap((field) => respell(desc, field, dice, depth));
  for (let count = dice(3); count > 0; count -= 1) fields.splice(dice(fields.length + 1), 0, unknownField(dice));
  for (let count = dice(4); count > 0 && fields.length > 0; count -= 1) {
    const [moved] = fields.splice(dice(fields.length), 1);
    if (moved !== undefined) fields.splice(dice(fields.length + 1), 0, moved);
  }
  return joinFields(fields);
}

function respell(desc: DescMessage, field: Field, dice: Dice, depth: number): Field[] {
  const [number, wireType, data] = field;
  const known = desc.fields.find((candidate) => candidate.number === number);
  if (known === undefined) return [field];
  const isOwn = known.message !== undefined && known.fieldKind !== 'map' && !isSpecial(known.message);
  if (isOwn && known.message !== undefined && depth < 4) {
    const content = scramble(known.message, new BinaryReader(data).bytes(), dice, depth + 1);
    // A message cut between two fields and sent as two is the same message.
    if (known.fieldKind !== 'message' || dice(3) > 0) return [[number, wireType, lengthDelimited(content)]];
    const parts = splitFields(content);
    const cut = dice(parts.length + 1);
    return [parts.slice(0, cut), parts.slice(cut)].map((part) => [number, wireType, lengthDelimited(joinFields(part))]);
  }
  if (known.fieldKind === 'list' && wireType === WireType.LengthDelimited && known.message === undefined) {
    return dice(2) === 0 ? [field] : unpack(known.scalar ?? 5, field);
  }
  return dice(6) === 0 ? [field, field] : [field];
}

/** The message types with a JSON form of their own; scrambling their bytes would change their meaning. */
function isSpecial(desc: DescMessage): boolean {
  return desc.typeName.startsWith('google.protobuf.');
}

/** A packed list as single values. Strings, bytes and messages are sent so anyway. */
function unpack(scalar: number, field: Field): Field[] {
  const [number, , data] = field;
  const isDouble = scalar === 1;
  const isVarint = [3, 4, 5, 8, 13, 14, 17, 18].includes(scalar);
  if (!isDouble && !isVarint) return [field];
  const reader = new BinaryReader(new BinaryReader(data).bytes());
  const wireType = isDouble ? WireType.Bit64 : WireType.Varint;
  const items: Field[] = [];
  while (reader.pos < reader.len) items.push([number, wireType, reader.skip(wireType)]);
  return items;
}

function unknownField(dice: Dice): Field {
  const number = UNKNOWN + dice(3);
  if (dice(2) === 0) return [number, WireType.Varint, new BinaryWriter().uint64(dice(1000)).finish()];
  const inside = new BinaryWriter()
    .tag(1, WireType.StartGroup)
    .tag(1, WireType.EndGroup)
    .tag(2, WireType.LengthDelimited);
  const content = inside.string('nobody knows').tag(number, WireType.EndGroup).finish();
  return [number, WireType.StartGroup, content];
}

function splitFields(bytes: Uint8Array): Field[] {
  const reader = new BinaryReader(bytes);
  const fields: Field[] = [];
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    fields.push([number, wireType, reader.skip(wireType, number)]);
  }
  return fields;
}

function joinFields(fields: readonly Field[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const [number, wireType, data] of fields) writer.tag(number, wireType).raw(data);
  return writer.finish();
}

function lengthDelimited(bytes: Uint8Array): Uint8Array {
  return new BinaryWriter().bytes(bytes).finish();
}
