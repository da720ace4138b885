import type { JsonText } from '../wire/json-text.js';
import type { FieldPlan } from './message-plan.js';

const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Closes the object with members from `start`, if it has any. */
export function closeObject(out: JsonText, start: number): void {
  if (out.length === start) out.byte(OPEN_OBJECT);
  out.byte(CLOSE_OBJECT);
}

/** The separator before a further item of the list that begins at `start`. */
export function beginItem(out: JsonText, start: number): void {
  out.byte(out.length === start ? OPEN_LIST : COMMA);
}

/** Ends a list that has items. One without has no text. */
export function closeList(out: JsonText, start: number): void {
  if (out.length > start) out.byte(CLOSE_LIST);
}

/** Replaces an empty list, or a value that counts as absent, by its default; or removes its name. */
export function closeField({ zero, absent }: FieldPlan, out: JsonText, before: number, start: number): void {
  const isAbsent = out.length === start || (zero !== undefined && out.is(start, zero));
  if (!isAbsent) return;
  out.length = absent === undefined ? before : start;
  if (absent !== undefined) out.put(absent);
}

/** Merges the object that begins at `start` into the one that ends before it. */
export function joinObjects(out: JsonText, start: number): void {
  if (out.length === start + 2) {
    out.length = start;
    out.byte(CLOSE_OBJECT);
  } else out.bytes[start] = COMMA;
}
