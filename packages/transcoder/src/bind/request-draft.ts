import {
  create,
  type DescField,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type Registry,
  toBinary,
} from '@bufbuild/protobuf';
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import type { FieldFormat, FormatOf } from '../fields/field-format.js';
import type { FieldPath } from '../fields/field-path.js';
import { type PlainMessage, setPlainly } from '../fields/plain-message-fields.js';
import { preserveTypeUrls } from '../fields/type-urls.js';
import { parseMapKey, parseValue } from '../fields/value-text.js';
import type { RawBody } from '../rules/http-body.js';

/** A request message under construction. A field that was `claim`ed belongs to the path or to the body, and is final. */
export class RequestDraft {
  readonly desc: DescMessage;
  #root: PlainMessage;
  readonly #formatOf: FormatOf;
  readonly #claimed = new Set<string>();
  readonly #added = new Set<string>();

  /** @param formatOf formats of fields that differ from protobuf's */
  constructor(desc: DescMessage, formatOf: FormatOf) {
    this.desc = desc;
    this.#formatOf = formatOf;
    this.#root = create(desc);
  }

  /** The current message. */
  get plain(): PlainMessage {
    return this.#root;
  }

  /** The message as a reflected one; the same object. */
  get message(): ReflectMessage {
    return reflect(this.desc, this.#root);
  }

  toBytes(): Uint8Array {
    return toBinary(this.desc, this.#root);
  }

  /** Replaces the whole message by the one of these bytes. Throws if they are invalid. */
  fillFromBytes(bytes: Uint8Array): void {
    this.#root = fromBinary(this.desc, bytes);
  }

  /** Replaces the message by a parsed JSON value. Throws if it does not fit. */
  fillFromJson(json: JsonValue, registry: Registry, ignoreUnknownFields: boolean): void {
    this.#root = fromJson(this.desc, json, { registry, ignoreUnknownFields });
    preserveTypeUrls(this.#root, json, registry);
  }

  /** Sets a google.api.HttpBody: a field, or the message itself. */
  fillFromHttpBody(field: DescField | undefined, body: RawBody): void {
    const message: PlainMessage = field?.fieldKind === 'message' ? create(field.message) : this.#root;
    Object.assign(message, body);
    if (field?.fieldKind === 'message') this.message.set(field, reflect(field.message, message));
  }

  claim(canonical: string): void {
    this.#claimed.add(canonical);
  }

  /** True when the field, or a message around it, belongs to the path or the body. */
  isClaimed(path: FieldPath): boolean {
    if (this.#claimed.size === 0) return false;
    let prefix = '';
    for (const field of path.fields) {
      prefix = prefix === '' ? field.name : `${prefix}.${field.name}`;
      if (this.#claimed.has(prefix)) return true;
    }
    return this.#claimed.has(path.canonical);
  }

  /** Sets an unset field, or adds to a list or map. Returns the problem, or `undefined`. */
  add(path: FieldPath, text: string): string | undefined {
    const target = path.fields.at(-1);
    if (target?.fieldKind !== 'list' && this.#added.has(path.canonical)) return 'is given more than once';
    const conflict = path.isInOneof ? findOneofConflict(this.message, path.fields) : undefined;
    if (conflict !== undefined) return `cannot be given together with ${conflict}`;
    const problem = this.set(path, text);
    if (problem === undefined) this.#added.add(path.canonical);
    return problem;
  }

  /** Sets a field, or adds to a list or map. Returns the problem, or `undefined`. */
  set(path: FieldPath, text: string): string | undefined {
    const target = path.fields.at(-1) ?? path.fields[0];
    const plain = readFormatted(this.#formatOf(target), text);
    if (typeof plain !== 'string') return plain.problem;
    if (!path.isPlain) return assign(this.message, path.fields, path.mapKey, plain);
    const parsed = parseValue(target, plain);
    if ('problem' in parsed) return parsed.problem;
    setPlainly(this.#root, path.fields, parsed.value);
    return undefined;
  }
}

function readFormatted(format: FieldFormat | undefined, text: string): string | { readonly problem: string } {
  return format?.readText === undefined ? text : format.readText(text);
}

/** The name of another member of the same oneof that is set, anywhere along the path. */
function findOneofConflict(root: ReflectMessage, fields: readonly DescField[]): string | undefined {
  let message = root;
  for (const field of fields) {
    const chosen = field.oneof === undefined ? undefined : message.oneofCase(field.oneof);
    if (chosen !== undefined && chosen !== field) return chosen.name;
    if (field.fieldKind !== 'message' || !message.isSet(field)) return undefined;
    message = message.get(field);
  }
  return undefined;
}

function assign(
  message: ReflectMessage,
  [field, ...rest]: readonly DescField[],
  mapKey: string | undefined,
  text: string,
): string | undefined {
  if (field === undefined) return 'names no field';
  if (rest.length > 0) {
    if (field.fieldKind !== 'message') return 'has no fields of its own';
    const child = message.isSet(field) ? message.get(field) : reflect(field.message, create(field.message));
    const problem = assign(child, rest, mapKey, text);
    if (problem === undefined) message.set(field, child);
    return problem;
  }
  const parsed = parseValue(field, text);
  if ('problem' in parsed) return parsed.problem;
  if (field.fieldKind === 'list') message.get(field).add(parsed.value);
  else if (field.fieldKind === 'map') return addEntry(message, field, mapKey ?? '', parsed.value);
  else message.set(field, parsed.value);
  return undefined;
}

function addEntry(
  message: ReflectMessage,
  field: DescField & { fieldKind: 'map' },
  keyText: string,
  value: unknown,
): string | undefined {
  const key = parseMapKey(field, keyText);
  if ('problem' in key) return `has a key that ${key.problem}`;
  message.get(field).set(key.value, value);
  return undefined;
}
