import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { findField } from './field-path.js';

/** The fields of a reply to write: each proto name maps to the mask inside it, or to `true` for all of it. */
export interface FieldMask extends ReadonlyMap<string, FieldMask | true> {}

export type ParsedFieldMask =
  /** `unknown` are the paths the message has no field for, each once; the mask is without them. */
  { readonly mask: FieldMask; readonly unknown: readonly string[] } | { readonly problem: string };

type MaskDraft = Map<string, MaskDraft | true>;

/** More than a page that shows a message needs, and few enough that no mask is work. */
const MAX_PATHS = 200;
const MAX_LEVELS = 32;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Messages with dynamic content. */
const OPEN = new Set(['Any', 'Struct', 'Value', 'ListValue'].map((name) => `google.protobuf.${name}`));

/** Reads `a,b.c` for a message, in proto or JSON names. Without a message there are no fields. */
export function parseFieldMask(text: string, message: DescMessage | undefined): ParsedFieldMask {
  const list = parseFieldPaths(text);
  if ('problem' in list) return list;
  const mask: MaskDraft = new Map();
  const unknown = new Set<string>();
  for (const names of list.paths) {
    const known = canonicalNames(names, message);
    if (known === undefined) unknown.add(names.join('.'));
    else include(mask, known);
  }
  return { mask, unknown: [...unknown] };
}

/** The names of each path of a comma-separated list, or the problem of the list. */
export function parseFieldPaths(text: string): { readonly paths: readonly string[][] } | { readonly problem: string } {
  const paths = text.split(',', MAX_PATHS + 1).map((path) => path.split('.', MAX_LEVELS + 1));
  if (paths.length > MAX_PATHS) return { problem: `must be at most ${MAX_PATHS} field paths` };
  if (paths.some((names) => names.length > MAX_LEVELS)) {
    return { problem: `must be field paths of at most ${MAX_LEVELS} levels` };
  }
  return paths.every((names) => names.every((name) => NAME.test(name)))
    ? { paths }
    : { problem: 'must be field paths with commas between' };
}

/** The mask of a field. `undefined`: the field is omitted. */
export function maskFor(mask: FieldMask, field: DescField): FieldMask | true | undefined {
  return mask.get(field.name);
}

/** The proto names of a path as far as the descriptors cover it; `undefined` if the message has no such field. */
function canonicalNames(names: readonly string[], message: DescMessage | undefined): string[] | undefined {
  const known: string[] = [];
  let within = message;
  for (const name of names) {
    if (within !== undefined && OPEN.has(within.typeName)) break;
    const field = within === undefined ? undefined : findField(within, name);
    if (field === undefined) return undefined;
    known.push(field.name);
    within = field.message;
  }
  return known;
}

/** A whole field covers its parts, in either order. */
function include(mask: MaskDraft, names: readonly string[]): void {
  let at = mask;
  for (const [level, name] of names.entries()) {
    const inner = at.get(name);
    if (inner === true) return;
    if (level === names.length - 1) at.set(name, true);
    else {
      const next = inner ?? new Map();
      at.set(name, next);
      at = next;
    }
  }
}
