import { type FieldMask, maskFor } from '../fields/parse-field-mask.js';
import { WIRE, type WireCursor } from '../wire/cursor.js';
import type { JsonText } from '../wire/json-text.js';
import type { FieldPlan, FieldsPlan } from './message-plan.js';
import { beginItem, closeField, closeList, closeObject } from './shapes.js';

/** The position of a value, without its tag and length. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly isPacked: boolean;
}

type Spans = (Span[] | undefined)[];

const NOTHING = new Uint8Array();

/**
 * Writes a message with fields in any order and number. The last of several single values counts, repeated messages are merged,
 * the last member of a oneof wins, and lists are concatenated.
 */
export function writeAnyOrder(plan: FieldsPlan, cursor: WireCursor, end: number, mask?: FieldMask): void {
  const spans = collect(plan, cursor, end);
  const { out } = cursor;
  const start = out.length;
  for (const field of plan.fields) {
    const inner = mask === undefined ? undefined : maskFor(mask, field.field);
    if (mask !== undefined && inner === undefined) continue;
    const before = out.length;
    out.put(before === start ? field.first : field.next);
    writeValue(field, spans[field.index], cursor, inner === true ? undefined : inner, before);
  }
  cursor.pos = end;
  closeObject(out, start);
}

/** Writes one field of a message, without its name; nothing if the field is absent. */
export function writeField(
  plan: FieldsPlan,
  name: string,
  cursor: WireCursor,
  end: number,
  mask: FieldMask | undefined,
): void {
  const spans = collect(plan, cursor, end);
  const field = plan.fields.find((candidate) => candidate.field.name === name);
  if (field !== undefined) writeValue(field, spans[field.index], cursor, mask);
}

/** Adds the map entry up to `end` to the previous ones, as texts of one character for each byte. */
export function addEntry(
  { entry }: FieldPlan,
  cursor: WireCursor,
  end: number,
  entries: Map<string, string>,
  mask?: FieldMask,
): void {
  if (entry === undefined) throw new TypeError('the field is not a map');
  const spans = collect(entry, cursor, end);
  const { out } = cursor;
  const start = out.length;
  writeValue(entry.key, spans[0], cursor, undefined);
  const key = out.cut(start);
  writeValue(entry.value, spans[1], cursor, mask);
  if (out.length === start) entry.value.write(cursor.over(NOTHING), 0, mask);
  entries.set(key.startsWith('"') ? key : `"${key}"`, out.cut(start));
  cursor.pos = end;
}

export function writeEntries(out: JsonText, entries: ReadonlyMap<string, string>): void {
  out.ascii(`{${[...entries].map(([key, value]) => `${key}:${value}`).join(',')}}`);
}

function collect({ fields, byTag }: FieldsPlan, cursor: WireCursor, end: number): Spans {
  const spans: Spans = new Array(fields.length);
  for (let tag = cursor.tag(end); tag !== 0; tag = cursor.tag(end)) {
    const field = byTag.get(tag);
    const start = cursor.pos;
    const valueEnd = cursor.skip(tag, end);
    if (field === undefined || !isKnown(field, cursor, start)) continue;
    if (field.oneof !== undefined) dropOthers(fields, field, spans);
    const isPacked = tag === field.packedTag;
    const from = (tag & 7) === WIRE.bytes ? contentStart(cursor, start) : start;
    const known = spans[field.index];
    if (known === undefined) spans[field.index] = [{ start: from, end: valueEnd, isPacked }];
    else known.push({ start: from, end: valueEnd, isPacked });
  }
  return spans;
}

function contentStart(cursor: WireCursor, start: number): number {
  const behind = cursor.pos;
  cursor.pos = start;
  cursor.varint32();
  const content = cursor.pos;
  cursor.pos = behind;
  return content;
}

/** A number that a closed enum does not have counts as not sent. */
function isKnown(field: FieldPlan, cursor: WireCursor, start: number): boolean {
  if (field.known === undefined) return true;
  const behind = cursor.pos;
  cursor.pos = start;
  const number = cursor.varint32();
  cursor.pos = behind;
  return field.known.has(number);
}

function dropOthers(fields: readonly FieldPlan[], chosen: FieldPlan, spans: Spans): void {
  for (const other of fields) if (other.oneof === chosen.oneof && other !== chosen) spans[other.index] = undefined;
}

/** @param before the begin of the field's name, which is removed with a value that is not written */
function writeValue(
  field: FieldPlan,
  spans: readonly Span[] | undefined,
  cursor: WireCursor,
  mask: FieldMask | undefined,
  before = cursor.out.length,
): void {
  const start = cursor.out.length;
  const last = spans?.at(-1);
  if (spans === undefined || last === undefined) {
    // Absent fields have no value.
  } else if (field.shape === 'list') writeItems(field, spans, cursor, mask);
  else if (field.shape === 'map') {
    const entries = new Map<string, string>();
    for (const span of spans) {
      cursor.pos = span.start;
      addEntry(field, cursor, span.end, entries, mask);
    }
    writeEntries(cursor.out, entries);
  } else if (field.field.message !== undefined && spans.length > 1) writeMerged(field, spans, cursor, mask);
  else {
    cursor.pos = last.start;
    field.write(cursor, last.end, mask);
  }
  closeField(field, cursor.out, before, start);
}

function writeItems(field: FieldPlan, spans: readonly Span[], cursor: WireCursor, mask: FieldMask | undefined): void {
  const start = cursor.out.length;
  for (const span of spans) {
    cursor.pos = span.start;
    if (span.isPacked) writePacked(field, cursor, span.end, start);
    else {
      beginItem(cursor.out, start);
      field.write(cursor, span.end, mask);
    }
  }
  closeList(cursor.out, start);
}

/** Adds the packed values up to `end` to the list that begins at `start`. */
export function writePacked(field: FieldPlan, cursor: WireCursor, end: number, start: number): void {
  while (cursor.pos < end) {
    beginItem(cursor.out, start);
    field.write(cursor, end);
  }
  cursor.stayBefore(end);
}

/** Concatenated messages are merged. Source: the protobuf wire format. */
function writeMerged(field: FieldPlan, spans: readonly Span[], cursor: WireCursor, mask: FieldMask | undefined): void {
  const bytes = Buffer.concat(spans.map(({ start, end }) => cursor.bytes.subarray(start, end)));
  const inner = cursor.over(bytes);
  field.write(inner, bytes.length, mask);
  cursor.isOrdered &&= inner.isOrdered;
}
