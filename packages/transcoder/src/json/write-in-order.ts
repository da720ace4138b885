import { WIRE, type WireCursor } from '../wire/cursor.js';
import { type JsonPart, joinParts } from '../wire/json-text.js';
import type { FieldPlan, FieldsPlan } from './message-plan.js';
import { beginItem, closeField, closeList, closeObject } from './shapes.js';
import { addEntry, writeEntries, writePacked } from './write-any-order.js';

/** Tags below this are looked up in an array. */
const SMALL_TAGS = 1024;

/**
 * Returns a writer that writes fields in wire order, for messages with each field once and in ascending order, as encoders write them.
 * For others it clears `isOrdered`, its text is invalid, and `writeAnyOrder` must write the message.
 */
export function inOrderWriter({ fields, byTag }: FieldsPlan): (cursor: WireCursor, end: number) => void {
  const small = Array.from({ length: SMALL_TAGS }, (_, tag) => byTag.get(tag));
  const find = (tag: number): FieldPlan | undefined => (tag < SMALL_TAGS ? small[tag] : byTag.get(tag));
  const absences = absenceTable(fields);
  return (cursor, end) => {
    const { out } = cursor;
    const start = out.length;
    let nextIndex = 0;
    let oneof: FieldPlan['oneof'];
    for (let tag = cursor.tag(end); tag !== 0; tag = cursor.tag(end)) {
      const field = find(tag);
      if (field === undefined) {
        cursor.skip(tag, end);
        continue;
      }
      const { index } = field;
      if (index < nextIndex || isSame(field.oneof, oneof)) {
        giveUp(cursor, end);
        return;
      }
      if (index > nextIndex) out.put(absences(nextIndex, index, out.length === start));
      nextIndex = index + 1;
      oneof = field.oneof;
      writeRun(field, tag, cursor, end, out.length === start);
    }
    if (nextIndex < fields.length) out.put(absences(nextIndex, fields.length, out.length === start));
    closeObject(out, start);
  };
}

function isSame(oneof: FieldPlan['oneof'], other: FieldPlan['oneof']): boolean {
  return oneof !== undefined && oneof === other;
}

function giveUp(cursor: WireCursor, end: number): void {
  cursor.isOrdered = false;
  cursor.pos = end;
}

/** Writes the values of one field under its name. */
function writeRun(field: FieldPlan, tag: number, cursor: WireCursor, end: number, isFirst: boolean): void {
  const { out } = cursor;
  const before = out.length;
  out.put(isFirst ? field.first : field.next);
  const start = out.length;
  if (field.shape === 'map') writeMap(field, tag, cursor, end);
  else if (field.shape === 'list') writeList(field, tag, cursor, end);
  else writeOne(field, tag, cursor, end);
  closeField(field, out, before, start);
}

function writeOne(field: FieldPlan, tag: number, cursor: WireCursor, end: number): void {
  if ((tag & 7) !== WIRE.bytes) {
    field.write(cursor, end);
    cursor.stayBefore(end);
    return;
  }
  const valueEnd = cursor.endOfBytes(end);
  field.write(cursor, valueEnd);
  cursor.pos = valueEnd;
}

/** Writes values for as long as they have the same tag. */
function writeList(field: FieldPlan, tag: number, cursor: WireCursor, end: number): void {
  const start = cursor.out.length;
  do {
    if (tag === field.packedTag) writePacked(field, cursor, cursor.endOfBytes(end), start);
    else {
      beginItem(cursor.out, start);
      writeOne(field, tag, cursor, end);
    }
  } while (takeTag(cursor, tag, end));
  closeList(cursor.out, start);
}

function writeMap(field: FieldPlan, tag: number, cursor: WireCursor, end: number): void {
  const entries = new Map<string, string>();
  do {
    addEntry(field, cursor, cursor.endOfBytes(end), entries);
  } while (takeTag(cursor, tag, end));
  writeEntries(cursor.out, entries);
}

/** Moves past the next tag when it is this one. */
function takeTag(cursor: WireCursor, tag: number, end: number): boolean {
  const { pos } = cursor;
  if (cursor.tag(end) === tag) return true;
  cursor.pos = pos;
  return false;
}

/** The text of absent fields from one index up to another, made once for each pair of indexes. */
function absenceTable(fields: readonly FieldPlan[]): (from: number, to: number, isFirst: boolean) => JsonPart {
  const width = fields.length + 1;
  const known: (JsonPart | undefined)[] = new Array(width * width * 2);
  return (from, to, isFirst) => {
    const at = (from * width + to) * 2 + (isFirst ? 1 : 0);
    let part = known[at];
    if (part === undefined) {
      const parts: JsonPart[] = [];
      for (const { absent, first, next } of fields.slice(from, to)) {
        if (absent !== undefined) parts.push(isFirst && parts.length === 0 ? first : next, absent);
      }
      part = joinParts(parts);
      known[at] = part;
    }
    return part;
  };
}
