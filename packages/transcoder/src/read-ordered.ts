import type { FieldPlan, FieldsPlan } from './message-plan.js';
import { printEntries, readEntry, readPacked } from './read-collected.js';
import { WIRE, type WireCursor } from './wire-cursor.js';

/** Tags below this are looked up in an array. */
const SMALL_TAGS = 1024;

/**
 * A reader that writes fields as they come. It is for messages whose fields come by number and once, as encoders send
 * them. When they do not, it clears `isOrdered` and its text means nothing: the bytes are to be read again, collected.
 */
export function orderedReader({ fields, byTag }: FieldsPlan): (cursor: WireCursor, end: number) => string {
  const small = Array.from({ length: SMALL_TAGS }, (_, tag) => byTag.get(tag));
  const find = (tag: number): FieldPlan | undefined => (tag < SMALL_TAGS ? small[tag] : byTag.get(tag));
  const absences = absenceTable(fields);
  return (cursor, end) => {
    let text = '';
    let nextIndex = 0;
    let oneof: FieldPlan['oneof'];
    for (let tag = cursor.tag(end); tag !== 0; tag = cursor.tag(end)) {
      const field = find(tag);
      if (field === undefined) {
        cursor.skip(tag, end);
        continue;
      }
      const { index } = field;
      if (index < nextIndex || isSame(field.oneof, oneof)) return giveUp(cursor, end);
      text += absences(nextIndex, index, text === '');
      nextIndex = index + 1;
      oneof = field.oneof;
      const value = readRun(field, tag, cursor, end);
      if (value !== undefined) text += (text === '' ? field.first : field.next) + value;
    }
    return closeObject(text + absences(nextIndex, fields.length, text === ''));
  };
}

function closeObject(text: string): string {
  return text === '' ? '{}' : `${text}}`;
}

function isSame(oneof: FieldPlan['oneof'], other: FieldPlan['oneof']): boolean {
  return oneof !== undefined && oneof === other;
}

function giveUp(cursor: WireCursor, end: number): string {
  cursor.isOrdered = false;
  cursor.pos = end;
  return '';
}

/** The values of one field; `undefined` when nothing is to be written. */
function readRun(field: FieldPlan, tag: number, cursor: WireCursor, end: number): string | undefined {
  if (field.shape === 'list') return readList(field, tag, cursor, end);
  if (field.shape === 'map') return readMap(field, tag, cursor, end);
  const value = readOne(field, tag, cursor, end);
  return value === field.zero ? field.absent : value;
}

function readOne(field: FieldPlan, tag: number, cursor: WireCursor, end: number): string {
  if ((tag & 7) !== WIRE.bytes) {
    const text = field.read(cursor, end);
    cursor.stayBefore(end);
    return text;
  }
  const valueEnd = cursor.endOfBytes(end);
  const text = field.read(cursor, valueEnd);
  cursor.pos = valueEnd;
  return text;
}

/** Reads values for as long as they have the same tag. */
function readList(field: FieldPlan, tag: number, cursor: WireCursor, end: number): string | undefined {
  let items = '';
  do {
    if (tag === field.packedTag) items = readPacked(field, cursor, cursor.endOfBytes(end), items);
    else items += (items === '' ? '' : ',') + readOne(field, tag, cursor, end);
  } while (takeTag(cursor, tag, end));
  return items === '' ? field.absent : `[${items}]`;
}

function readMap(field: FieldPlan, tag: number, cursor: WireCursor, end: number): string {
  const entries = new Map<string, string>();
  do {
    readEntry(field, cursor, cursor.endOfBytes(end), entries);
  } while (takeTag(cursor, tag, end));
  return printEntries(entries);
}

/** Moves past the next tag when it is this one. */
function takeTag(cursor: WireCursor, tag: number, end: number): boolean {
  const { pos } = cursor;
  if (cursor.tag(end) === tag) return true;
  cursor.pos = pos;
  return false;
}

/** The text of absent fields from one index up to another, made once for each such stretch. */
function absenceTable(fields: readonly FieldPlan[]): (from: number, to: number, isFirst: boolean) => string {
  const width = fields.length + 1;
  const known: (string | undefined)[] = new Array(width * width * 2);
  return (from, to, isFirst) => {
    if (from === to) return '';
    const at = (from * width + to) * 2 + (isFirst ? 1 : 0);
    let text = known[at];
    if (text === undefined) {
      text = '';
      for (const { absent, first, next } of fields.slice(from, to)) {
        if (absent !== undefined) text += (isFirst && text === '' ? first : next) + absent;
      }
      known[at] = text;
    }
    return text;
  };
}
