import { type FieldMask, maskFor } from './field-mask.js';
import type { FieldPlan, FieldsPlan } from './message-plan.js';
import { WIRE, type WireCursor } from './wire-cursor.js';

/** Where a value lies, without its tag and length. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly isPacked: boolean;
}

type Spans = (Span[] | undefined)[];

const NOTHING = new Uint8Array();

/**
 * Writes a message whose fields come in any order and any number of times. Of a single value the last one counts,
 * messages that come twice are one, of a oneof the last member is the one, and lists go on where they were left.
 */
export function readCollected(plan: FieldsPlan, cursor: WireCursor, end: number, mask?: FieldMask): string {
  const spans = collect(plan, cursor, end);
  let text = '';
  for (const field of plan.fields) {
    const inner = mask === undefined ? undefined : maskFor(mask, field.field);
    if (mask !== undefined && inner === undefined) continue;
    const value = valueText(field, spans[field.index], cursor, inner === true ? undefined : inner);
    if (value !== undefined) text += (text === '' ? field.first : field.next) + value;
  }
  cursor.pos = end;
  return text === '' ? '{}' : `${text}}`;
}

/** Writes one field of a message; `undefined` when there is nothing to write. */
export function readOneField(
  plan: FieldsPlan,
  name: string,
  cursor: WireCursor,
  end: number,
  mask: FieldMask | undefined,
): string | undefined {
  const spans = collect(plan, cursor, end);
  const field = plan.fields.find((candidate) => candidate.field.name === name);
  return field === undefined ? undefined : valueText(field, spans[field.index], cursor, mask);
}

/** Adds the map entry up to `end` to those that were there before. */
export function readEntry(
  { entry }: FieldPlan,
  cursor: WireCursor,
  end: number,
  entries: Map<string, string>,
  mask?: FieldMask,
): void {
  if (entry === undefined) throw new TypeError('the field is not a map');
  const spans = collect(entry, cursor, end);
  const key = valueText(entry.key, spans[0], cursor, undefined) ?? '';
  const value = valueText(entry.value, spans[1], cursor, mask);
  entries.set(key.startsWith('"') ? key : `"${key}"`, value ?? entry.value.read(cursor.over(NOTHING), 0, mask));
  cursor.pos = end;
}

export function printEntries(entries: ReadonlyMap<string, string>): string {
  return `{${[...entries].map(([key, value]) => `${key}:${value}`).join(',')}}`;
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

/** A number that a closed enum does not have is as good as not sent. */
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

function valueText(
  field: FieldPlan,
  spans: readonly Span[] | undefined,
  cursor: WireCursor,
  mask: FieldMask | undefined,
): string | undefined {
  const last = spans?.at(-1);
  if (spans === undefined || last === undefined) return field.absent;
  if (field.shape === 'list') return listText(field, spans, cursor, mask);
  if (field.shape === 'map') {
    const entries = new Map<string, string>();
    for (const span of spans) {
      cursor.pos = span.start;
      readEntry(field, cursor, span.end, entries, mask);
    }
    return printEntries(entries);
  }
  if (field.field.message !== undefined && spans.length > 1) return mergedText(field, spans, cursor, mask);
  cursor.pos = last.start;
  const text = field.read(cursor, last.end, mask);
  return text === field.zero ? field.absent : text;
}

function listText(
  field: FieldPlan,
  spans: readonly Span[],
  cursor: WireCursor,
  mask: FieldMask | undefined,
): string | undefined {
  let items = '';
  for (const span of spans) {
    cursor.pos = span.start;
    if (!span.isPacked) items += (items === '' ? '' : ',') + field.read(cursor, span.end, mask);
    else items = readPacked(field, cursor, span.end, items);
  }
  return items === '' ? field.absent : `[${items}]`;
}

/** Adds the packed values up to `end` to a list's text. */
export function readPacked(field: FieldPlan, cursor: WireCursor, end: number, items: string): string {
  let text = items;
  while (cursor.pos < end) text += (text === '' ? '' : ',') + field.read(cursor, end);
  cursor.stayBefore(end);
  return text;
}

/** Messages one behind the other are their merger. Source: the protobuf wire format. */
function mergedText(
  field: FieldPlan,
  spans: readonly Span[],
  cursor: WireCursor,
  mask: FieldMask | undefined,
): string | undefined {
  const bytes = Buffer.concat(spans.map(({ start, end }) => cursor.bytes.subarray(start, end)));
  const inner = cursor.over(bytes);
  const text = field.read(inner, bytes.length, mask);
  cursor.isOrdered &&= inner.isOrdered;
  return text;
}
