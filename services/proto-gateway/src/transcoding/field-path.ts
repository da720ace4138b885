import type { DescField, DescMessage } from '@bufbuild/protobuf';

/** A way from a message to one of its fields, or to one entry of a map. */
export interface FieldPath {
  readonly fields: readonly [DescField, ...DescField[]];
  /** The text in brackets of `map[key]`. */
  readonly mapKey: string | undefined;
  /** The path in proto names, so that both spellings of a field are one. */
  readonly canonical: string;
}

export type ResolvedPath =
  | { readonly path: FieldPath }
  | { readonly problem: string }
  /** No such field in the message. */
  | { readonly unknown: true };

const namesOf = new WeakMap<DescMessage, Map<string, DescField>>();

/** Looks a field up by its proto name or its JSON name. */
export function findField(message: DescMessage, name: string): DescField | undefined {
  let names = namesOf.get(message);
  if (names === undefined) {
    names = new Map([
      ...message.fields.map((field): [string, DescField] => [field.jsonName, field]),
      ...message.fields.map((field): [string, DescField] => [field.name, field]),
    ]);
    namesOf.set(message, names);
  }
  return names.get(name);
}

/** Resolves `pagination.limit`, `a.b[key]` or `customName` in a message. */
export function resolveFieldPath(message: DescMessage, text: string): ResolvedPath {
  const bracket = text.indexOf('[');
  const isEntry = bracket > 0 && text.endsWith(']');
  const mapKey = isEntry ? text.slice(bracket + 1, -1) : undefined;
  const names = (isEntry ? text.slice(0, bracket) : text).split('.');
  const fields: DescField[] = [];
  let parent: DescMessage | undefined = message;
  for (const name of names) {
    if (parent === undefined) return { problem: `${describePath(fields)} ${whyClosed(fields.at(-1))}` };
    const field = findField(parent, name);
    if (field === undefined) return { unknown: true };
    fields.push(field);
    parent = field.fieldKind === 'message' ? field.message : undefined;
  }
  const [first, ...rest] = fields;
  const last = fields.at(-1);
  if (first === undefined || last === undefined) return { unknown: true };
  if (isEntry !== (last.fieldKind === 'map')) {
    return { problem: isEntry ? `${describePath(fields)} is not a map` : 'a map is given as name[key]=value' };
  }
  const canonical = describePath(fields) + (mapKey === undefined ? '' : `[${mapKey}]`);
  return { path: { fields: [first, ...rest], mapKey, canonical } };
}

function describePath(fields: readonly DescField[]): string {
  return fields.map((field) => field.name).join('.');
}

function whyClosed(field: DescField | undefined): string {
  return field?.fieldKind === 'list' || field?.fieldKind === 'map' ? 'is a list or a map' : 'has no fields of its own';
}
