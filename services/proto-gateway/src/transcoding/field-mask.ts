import type { DescField } from '@bufbuild/protobuf';

/** Which fields of a reply are written: each name leads to the mask inside it, or to `true` for all of it. */
export interface FieldMask extends ReadonlyMap<string, FieldMask | true> {}

const PATHS = /^[A-Za-z_][A-Za-z0-9_.]*(?:,[A-Za-z_][A-Za-z0-9_.]*)*$/;

/** Reads `a,b.c`. `undefined` for text that is not a list of field paths. */
export function parseFieldMask(text: string): FieldMask | undefined {
  if (!PATHS.test(text)) return undefined;
  const root = new Map<string, FieldMask | true>();
  for (const path of text.split(',')) include(root, path.split('.'));
  return root;
}

/** What the mask says of a field, under its proto or its JSON name. `undefined`: leave it out. */
export function maskFor(mask: FieldMask, field: DescField): FieldMask | true | undefined {
  return mask.get(field.name) ?? mask.get(field.jsonName);
}

function include(mask: Map<string, FieldMask | true>, [name, ...rest]: readonly string[]): void {
  if (name === undefined || mask.get(name) === true) return;
  if (rest.length === 0) {
    mask.set(name, true);
    return;
  }
  const inner = new Map(asMask(mask.get(name)));
  include(inner, rest);
  mask.set(name, inner);
}

function asMask(value: FieldMask | true | undefined): FieldMask {
  return value === undefined || value === true ? new Map() : value;
}
