import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { isPlainPath } from './plain-message-fields.js';

/** A path from a message to one of its fields, or to one entry of a map. */
export interface FieldPath {
  readonly fields: readonly [DescField, ...DescField[]];
  /** The text in brackets of `map[key]`. */
  readonly mapKey: string | undefined;
  /** The path in proto names, so that both spellings of a field are one. */
  readonly canonical: string;
  /** Its value can be set as a property. */
  readonly isPlain: boolean;
  readonly isInOneof: boolean;
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

/** Cache of parsed paths without a key, by message. Messages may be recursive, so it is bounded. */
const pathsOf = new WeakMap<DescMessage, Map<string, ResolvedPath>>();
const MAX_PATHS = 500;
const MAX_PATH_CHARACTERS = 200;

/** Resolves `pagination.limit`, `a.b[key]`, `list[]` or `customName` in a message. */
export function resolveFieldPath(message: DescMessage, text: string): ResolvedPath {
  const known = pathsOf.get(message)?.get(text);
  if (known !== undefined) return known;
  const resolved = resolve(message, text);
  if ('path' in resolved && resolved.path.mapKey === undefined) remember(message, text, resolved);
  return resolved;
}

function remember(message: DescMessage, text: string, resolved: ResolvedPath): void {
  const paths = pathsOf.get(message) ?? new Map<string, ResolvedPath>();
  if (paths.size < MAX_PATHS && text.length <= MAX_PATH_CHARACTERS) paths.set(text, resolved);
  pathsOf.set(message, paths);
}

function resolve(message: DescMessage, text: string): ResolvedPath {
  const bracket = text.indexOf('[');
  // A name with empty brackets is how many HTTP clients write a list.
  const listed = bracket === text.length - 2 && text.endsWith('[]') ? resolve(message, text.slice(0, -2)) : undefined;
  if (listed !== undefined && 'path' in listed && listed.path.fields.at(-1)?.fieldKind === 'list') return listed;
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
  const isInOneof = fields.some((field) => field.oneof !== undefined);
  return { path: { fields: [first, ...rest], mapKey, canonical, isPlain: isPlainPath(fields), isInOneof } };
}

function describePath(fields: readonly DescField[]): string {
  return fields.map((field) => field.name).join('.');
}

function whyClosed(field: DescField | undefined): string {
  return field?.fieldKind === 'list' || field?.fieldKind === 'map' ? 'is a list or a map' : 'has no fields of its own';
}
