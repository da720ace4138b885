import {
  type DescEnum,
  type DescField,
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Registry,
  ScalarType,
} from '@bufbuild/protobuf';
import { findField } from '../fields/field-path.js';
import { isUnrealTime, UNREAL_TIME, WANTS_TIME } from '../fields/real-time.js';
import { parseEnum } from '../fields/value-text.js';
import type { Violation } from './violation.js';

export interface CheckRules {
  readonly registry: Registry;
  /** Unknown fields and enum names are ignored, as by protobuf readers. */
  readonly ignoresUnknown: boolean;
  /** Fields that are not known are wrong. */
  readonly refusesUnknown: boolean;
}

/** Violations beyond these are not reported. */
const MAX_VIOLATIONS = 20;
const WELL_KNOWN = 'google.protobuf.';
const ANY = 'google.protobuf.Any';
const TIMESTAMP = 'google.protobuf.Timestamp';
const FIELD_MASK = 'google.protobuf.FieldMask';

/**
 * Checks a JSON body against its message before it is parsed, so that problems are reported by field. Null members are removed:
 * they are absent, also in a oneof, unless null is a value.
 *
 * @param at the path of the message in the request; `''` for the whole body
 */
export function checkBody(desc: DescMessage, json: JsonValue, at: string, rules: CheckRules): readonly Violation[] {
  const walk = new BodyWalk(rules, false);
  walk.message(desc, json, at);
  return walk.violations;
}

/** Finds the first value of a body that its field does not accept, after `checkBody` found no problem. */
export function findMisfit(desc: DescMessage, json: JsonValue, at: string, rules: CheckRules): Violation | undefined {
  const walk = new BodyWalk(rules, true);
  walk.message(desc, json, at);
  return walk.violations[0];
}

class BodyWalk {
  readonly violations: Violation[] = [];
  readonly #rules: CheckRules;
  /** Each value is parsed separately. */
  readonly #isProbing: boolean;

  constructor(rules: CheckRules, isProbing: boolean) {
    this.#rules = rules;
    this.#isProbing = isProbing;
  }

  message(desc: DescMessage, json: JsonValue, at: string): void {
    if (NUMERIC_MESSAGES.has(desc.typeName) && isLong(json)) this.#report(at, TOO_LONG);
    else if (desc.typeName === FIELD_MASK && hasManyPaths(json)) this.#report(at, TOO_MANY_PATHS);
    else if (desc.typeName === ANY) this.#any(json, at);
    else if (desc.typeName === TIMESTAMP && typeof json === 'string' && isUnrealTime(json)) {
      this.#report(at, UNREAL_TIME);
    } else if (!isWellKnown(desc)) this.#members(desc, json, at);
  }

  #members(desc: DescMessage, json: JsonValue, at: string): void {
    if (!isObject(json)) {
      this.#report(at, 'must be an object');
      return;
    }
    const seen = new Map<unknown, string>();
    for (const name of Object.keys(json)) {
      if (this.#isFull) return;
      const field = findField(desc, name);
      const value = json[name];
      const path = at === '' ? name : `${at}.${name}`;
      if (field === undefined) this.#unknown(name, path);
      else if (value === null && !takesNull(field)) delete json[name];
      else if (value !== undefined) {
        const other = seen.get(field.oneof ?? field);
        if (other !== undefined) this.#report(path, `cannot be given together with ${other}`);
        seen.set(field.oneof ?? field, name);
        this.#field(desc, field, value, path, name);
      }
    }
  }

  #unknown(name: string, path: string): void {
    const isRefused = this.#rules.refusesUnknown && name !== '@type' && !name.startsWith('[');
    if (isRefused) this.#report(path, 'is not a field of this message');
  }

  #field(desc: DescMessage, field: DescField, value: JsonValue, path: string, name: string): void {
    if (field.fieldKind === 'list' && !Array.isArray(value)) this.#report(path, 'must be a list');
    else if (field.fieldKind === 'map' && !isObject(value)) this.#report(path, 'must be an object');
    else {
      for (const [step, item] of stepsOf(field, value)) {
        if (field.fieldKind === 'map' && step.length > MAX_NUMBER_CHARACTERS && field.mapKey !== ScalarType.STRING) {
          this.#report(path, 'has a key that is too long');
        } else this.#value(field, item, path + step);
      }
      if (this.#isProbing && !this.#isFull && !holdsFields(field.message)) this.#probe(desc, field, value, path, name);
    }
  }

  #value(field: DescField, value: JsonValue, path: string): void {
    if (this.#isFull) return;
    if (LARGE_INTEGERS.has(field.scalar) && isLong(value)) this.#report(path, TOO_LONG);
    else if (field.enum !== undefined) this.#enum(field.enum, value, path);
    else if (field.message !== undefined && value !== null) this.message(field.message, value, path);
  }

  /** Parses the values of a field separately. Halves of a list are parsed rather than items, because each parse has a fixed cost. */
  #probe(desc: DescMessage, field: DescField, value: JsonValue, path: string, name: string): void {
    const isWrong = (part: JsonValue): boolean => !fits(desc, { [name]: part }, this.#rules);
    if (!isWrong(value)) return;
    let step = '';
    if (Array.isArray(value)) {
      let [from, to] = [0, value.length];
      while (to - from > 1) {
        const middle = (from + to) >>> 1;
        if (isWrong(value.slice(from, middle))) to = middle;
        else from = middle;
      }
      step = `[${from}]`;
    } else if (field.fieldKind === 'map' && isObject(value)) {
      const wrong = Object.entries(value).find(([key, item]) => isWrong({ [key]: item }));
      step = `[${wrong?.[0] ?? ''}]`;
    }
    this.#report(path + step, wanted(field));
  }

  #enum(desc: DescEnum, value: JsonValue, path: string): void {
    if (typeof value !== 'string' || this.#rules.ignoresUnknown || desc.values.some((each) => each.name === value))
      return;
    const parsed = parseEnum(desc, value);
    this.#report(path, 'problem' in parsed ? parsed.problem : 'must be a name, or a number without quotes');
  }

  #any(json: JsonValue, at: string): void {
    if (!isObject(json) || Object.keys(json).length === 0) return;
    const url = json['@type'];
    if (typeof url !== 'string') {
      this.#report(at, 'needs an @type');
      return;
    }
    const desc = this.#rules.registry.getMessage(url.slice(url.lastIndexOf('/') + 1));
    if (desc === undefined) this.#report(at, 'has an @type that is not known here');
    else if (!isWellKnown(desc)) this.#members(desc, json, at);
    else if (json['value'] !== undefined) this.message(desc, json['value'], `${at}.value`);
  }

  get #isFull(): boolean {
    return this.violations.length >= (this.#isProbing ? 1 : MAX_VIOLATIONS);
  }

  #report(at: string, description: string): void {
    this.violations.push({ field: at === '' ? 'body' : at, description });
  }
}

/** Beyond every number that fits, however it is written: reading an integer takes more than its length in time. */
const MAX_NUMBER_CHARACTERS = 200;
const TOO_LONG = `must have at most ${MAX_NUMBER_CHARACTERS} characters`;
const NUMERIC_MESSAGES: ReadonlySet<string> = new Set(
  ['Duration', 'Int64Value', 'UInt64Value'].map((name) => WELL_KNOWN + name),
);
const LARGE_INTEGERS: ReadonlySet<ScalarType | undefined> = new Set([
  ScalarType.INT64,
  ScalarType.SINT64,
  ScalarType.SFIXED64,
  ScalarType.UINT64,
  ScalarType.FIXED64,
]);

function isLong(json: JsonValue): boolean {
  return typeof json === 'string' && json.length > MAX_NUMBER_CHARACTERS;
}

const MAX_MASK_PATHS = 10_000;
const TOO_MANY_PATHS = `must have at most ${MAX_MASK_PATHS} paths`;

function hasManyPaths(json: JsonValue): boolean {
  return typeof json === 'string' && json.split(',', MAX_MASK_PATHS + 1).length > MAX_MASK_PATHS;
}

export function isObject(json: JsonValue): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** The values of a field, each with its step from the field. */
function* stepsOf({ fieldKind }: DescField, value: JsonValue): Iterable<readonly [step: string, value: JsonValue]> {
  if (fieldKind === 'list' && Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield [`[${index}]`, item];
  } else if (fieldKind === 'map' && isObject(value)) {
    for (const [key, item] of Object.entries(value)) yield [`[${key}]`, item];
  } else yield ['', value];
}

/** Its values are checked by their fields, rather than parsed as a whole. */
function holdsFields(message: DescMessage | undefined): boolean {
  return message !== undefined && !isWellKnown(message);
}

/** Its JSON is not an object of its fields. */
function isWellKnown(desc: DescMessage): boolean {
  return (
    desc.typeName.startsWith(WELL_KNOWN) && desc.file.proto.package === 'google.protobuf' && WITH_FORM.has(desc.name)
  );
}

const WITH_FORM: ReadonlySet<string> = new Set([
  'Any',
  'Timestamp',
  'Duration',
  'FieldMask',
  'Struct',
  'Value',
  'ListValue',
  ...['Double', 'Float', 'Int64', 'UInt64', 'Int32', 'UInt32', 'Bool', 'String', 'Bytes'].map((name) => `${name}Value`),
]);

/** Null is a value of these. */
function takesNull(field: DescField): boolean {
  return field.message?.typeName === 'google.protobuf.Value' || field.enum?.typeName === 'google.protobuf.NullValue';
}

function fits(desc: DescMessage, json: JsonObject, { registry, ignoresUnknown, refusesUnknown }: CheckRules): boolean {
  try {
    fromJson(desc, json, { registry, ignoreUnknownFields: ignoresUnknown || !refusesUnknown });
    return true;
  } catch {
    return false;
  }
}

/** Describes the values of a field. */
function wanted({ message, scalar }: DescField): string {
  if (message !== undefined) return WANTED_MESSAGES[message.name] ?? `is not a ${message.typeName}`;
  return WANTED[scalar ?? ScalarType.STRING];
}

const WANTED_MESSAGES: Readonly<Record<string, string>> = {
  Timestamp: WANTS_TIME,
  Duration: 'must be a duration in seconds such as 1.5s, of 315,576,000,000 s at most',
  FieldMask: 'must be a text of field names with commas between',
  Struct: 'must be an object',
  ListValue: 'must be a list',
};

const SMALL = 'must be a whole number of 32 bits';
const LARGE = 'must be a whole number of 64 bits, best in quotes';
const WANTED: Readonly<Record<ScalarType, string>> = {
  [ScalarType.STRING]: 'must be a text',
  [ScalarType.BOOL]: 'must be true or false',
  [ScalarType.BYTES]: 'must be base64',
  [ScalarType.DOUBLE]: 'must be a number',
  [ScalarType.FLOAT]: 'must be a number',
  [ScalarType.INT32]: SMALL,
  [ScalarType.SINT32]: SMALL,
  [ScalarType.SFIXED32]: SMALL,
  [ScalarType.UINT32]: `${SMALL}, not negative`,
  [ScalarType.FIXED32]: `${SMALL}, not negative`,
  [ScalarType.INT64]: LARGE,
  [ScalarType.SINT64]: LARGE,
  [ScalarType.SFIXED64]: LARGE,
  [ScalarType.UINT64]: `${LARGE}, not negative`,
  [ScalarType.FIXED64]: `${LARGE}, not negative`,
};
