import { maskMsisdn } from './mask.js';
import { cleanText } from './scrub-text.js';
import { kindOfName, type NameKind } from './secret-names.js';
import { serializeError } from './serialize-error.js';

const redacted = '[redacted]';

/** Limits of one line. Further fields are omitted, never passed unchecked. */
const depthLimit = 8;
const entriesLimit = 1_000;
const charactersLimit = 32_768;

interface Budget {
  entries: number;
  characters: number;
}

const newBudget = (): Budget => ({ entries: entriesLimit, characters: charactersLimit });

interface KnownName {
  readonly kind: NameKind;
  readonly shown: string;
}

/** Cache: names repeat. */
const knownNames = new Map<string, KnownName>();
const knownNamesLimit = 2_000;
const knownNameLength = 64;

/**
 * The fields of a log line without secrets, at any depth and in arrays: values under names of secrets are replaced, phone numbers
 * masked, texts scrubbed, bytes counted. Values without secrets are not copied.
 */
export function cleanFields(fields: Record<string, unknown>): Record<string, unknown> {
  return cleanEntries(fields, 0, newBudget());
}

/** The same for a single value. */
export function cleanValue(value: unknown): unknown {
  return cleanAt(value, 0, newBudget());
}

function cleanEntries(fields: Record<string, unknown>, depth: number, budget: Budget): Record<string, unknown> {
  let clean: Record<string, unknown> | undefined;
  for (const name of Object.keys(fields)) {
    budget.entries -= 1;
    if (budget.entries < 0) {
      clean ??= {};
      clean['…'] = '[more]';
      return clean;
    }
    const value = fields[name];
    const known = knownName(name);
    const shown = cleanNamed(known.kind, name, value, depth, budget);
    if (clean === undefined && (shown !== value || known.shown !== name)) clean = before(fields, name);
    if (clean !== undefined && known.shown !== '__proto__') clean[known.shown] = shown;
  }
  return clean ?? fields;
}

/** The entries before that one, which needed no change. */
function before(fields: Record<string, unknown>, end: string): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    if (name === end) break;
    clean[name] = fields[name];
  }
  return clean;
}

function knownName(name: string): KnownName {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const found = { kind: kindOfName(name), shown: cleanText(name) };
  if (knownNames.size < knownNamesLimit && name.length <= knownNameLength) knownNames.set(name, found);
  return found;
}

function cleanNamed(kind: NameKind, name: string, value: unknown, depth: number, budget: Budget): unknown {
  if (kind === 'open' || value === undefined || value === null || typeof value === 'boolean') {
    return depth === 0 && name === 'err' ? value : cleanAt(value, depth, budget);
  }
  if (typeof value === 'number' && name.endsWith('s')) return value;
  if (kind === 'secret') return redacted;
  return typeof value === 'string' || typeof value === 'number' ? maskMsisdn(String(value)) : redacted;
}

function cleanAt(value: unknown, depth: number, budget: Budget): unknown {
  if (typeof value === 'string') return cleanBounded(value, budget);
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= depthLimit) return '[deep]';
  try {
    return cleanObject(value, depth + 1, budget);
  } catch {
    return '[unreadable]';
  }
}

function cleanBounded(text: string, budget: Budget): string {
  budget.characters -= text.length;
  return budget.characters < 0 ? `[${text.length} characters]` : cleanText(text);
}

function cleanObject(value: object, depth: number, budget: Budget): unknown {
  if (value instanceof Error) return serializeError(value);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return cleanItems(value, depth, budget);
  if (value instanceof Date) return value;
  if (value instanceof String) return cleanBounded(String(value), budget);
  if ('toJSON' in value && typeof value.toJSON === 'function') return cleanAt(value.toJSON(), depth, budget);
  return cleanEntries(value as Record<string, unknown>, depth, budget);
}

function cleanItems(items: readonly unknown[], depth: number, budget: Budget): readonly unknown[] {
  const [name, ...rest] = items;
  // An entry of headers, or of any map.
  if (rest.length === 1 && typeof name === 'string') {
    const shown = cleanNamed(kindOfName(name), name, rest[0], depth, budget);
    const shownName = cleanText(name);
    return shownName === name && shown === rest[0] ? items : [shownName, shown];
  }
  const clean: unknown[] = [];
  let isSame = true;
  for (const item of items) {
    budget.entries -= 1;
    if (budget.entries < 0) return [...clean, '[more]'];
    const shown = cleanAt(item, depth, budget);
    if (shown !== item) isSame = false;
    clean.push(shown);
  }
  return isSame ? items : clean;
}
