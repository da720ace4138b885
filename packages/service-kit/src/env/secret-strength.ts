import { z } from 'zod';

/** A random value of a key's length has more different bytes than this. */
const LEAST_DIFFERENT_BYTES = 16;
const LEAST_WORDS = 12;
/** Twelve words chosen at random from a list of 2,048 hardly ever repeat. */
const LEAST_DIFFERENT_WORDS = 9;

const HEX = /^(?:[0-9a-fA-F]{2})+$/;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const KEY_FORMS = [/^[0-9a-fA-F]{64}$/, /^[A-Za-z0-9+/_-]{43}=?$/];
const PASSPHRASE = 'is a passphrase, not 32 random bytes in hex or base64';

/**
 * Why a token is easier to guess than its length suggests; undefined if it is not. A hex token is checked by its bytes, a base64
 * one by its characters and its bytes, any other by its characters. The output of `openssl rand -hex 32` and `-base64 32` is
 * never weak. The result contains no part of the token.
 */
export function tokenWeakness(token: string): string | undefined {
  if (HEX.test(token)) return bytesWeakness(Buffer.from(token, 'hex'));
  const decoded = BASE64.test(token) ? bytesWeakness(Buffer.from(token, 'base64')) : undefined;
  return bytesWeakness(Buffer.from(token, 'utf8')) ?? decoded;
}

/** Why a key that is written as `parseSecretKey` or `parseBase64Key` reads it is easier to guess than 32 random bytes. */
export function keyWeakness(text: string): string | undefined {
  const form = KEY_FORMS.findIndex((pattern) => pattern.test(text));
  if (form === -1) return PASSPHRASE;
  const bytes = Buffer.from(text, form === 0 ? 'hex' : 'base64');
  return bytesWeakness(bytes) ?? (bytes.every(isPrintable) ? PASSPHRASE : undefined);
}

/** The same of several keys: of the first that is weak, by its place. */
export function keysWeakness(texts: readonly string[]): string | undefined {
  const weaknesses = texts.map(keyWeakness);
  const first = weaknesses.findIndex((weakness) => weakness !== undefined);
  return first === -1 ? undefined : `key ${first + 1} ${weaknesses[first]}`;
}

/** Why a mnemonic is easier to guess than twelve random words. */
export function mnemonicWeakness(mnemonic: string): string | undefined {
  const words = mnemonic.trim().toLowerCase().split(/\s+/);
  if (words.length < LEAST_WORDS) return `has fewer than ${LEAST_WORDS} words`;
  const isVaried = new Set(words).size >= LEAST_DIFFERENT_WORDS && !isPeriodic(words);
  return isVaried ? undefined : 'repeats its words';
}

/**
 * Reports why a secret issued by another party looks like a placeholder: it repeats itself or counts up. Length and variety are
 * not checked, because its holder did not choose them.
 */
export function placeholderWeakness(secret: string): string | undefined {
  return patternOf(Buffer.from(secret, 'utf8'));
}

function bytesWeakness(bytes: Uint8Array): string | undefined {
  const pattern = patternOf(bytes);
  if (pattern !== undefined) return pattern;
  const isVaried = new Set(bytes).size >= LEAST_DIFFERENT_BYTES;
  return isVaried ? undefined : `has fewer than ${LEAST_DIFFERENT_BYTES} different bytes`;
}

function patternOf(bytes: Uint8Array): string | undefined {
  if (bytes.every((byte) => byte === 0)) return 'is all zeros';
  if (isPeriodic(bytes)) return 'is one block repeated';
  return isCount(bytes) ? 'counts up or down' : undefined;
}

/** Whether the text repeats a block of at most half its length; the last repetition may be incomplete. */
function isPeriodic(items: ArrayLike<unknown>): boolean {
  const { length } = items;
  for (let period = 1; period * 2 <= length; period += 1) {
    let at = period;
    while (at < length && items[at] === items[at - period]) at += 1;
    if (at === length) return true;
  }
  return false;
}

/** Whether most bytes differ from the one before by the same step: `00 01 02 …`, `abc…xyz012…`. */
function isCount(bytes: Uint8Array): boolean {
  const times = new Map<number, number>();
  for (let at = 1; at < bytes.length; at += 1) {
    const step = ((bytes[at] ?? 0) - (bytes[at - 1] ?? 0)) & 0xff;
    times.set(step, (times.get(step) ?? 0) + 1);
  }
  return Math.max(0, ...times.values()) * 2 > bytes.length;
}

function isPrintable(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f;
}

interface Judgement {
  readonly weaknessOf: (value: unknown) => string | undefined;
  readonly remedy: string;
}

const judgements = z.registry<Judgement>();

/**
 * A field that production accepts only without weakness. Development accepts any value, for convenience.
 *
 * @param weaknessOf why the value can be guessed, after "its name: …", without any part of the value; undefined if it cannot
 * @param remedy how to fix it
 */
export function strongInProduction<Field extends z.ZodType>(
  field: Field,
  weaknessOf: (value: NonNullable<z.output<Field>>) => string | undefined,
  remedy = '`openssl rand -hex 32` makes one that is not',
): Field {
  // Only values that the field itself has read are judged.
  judgements.add(field, { weaknessOf: weaknessOf as Judgement['weaknessOf'], remedy });
  return field;
}

/** Well-formed values that are too weak for production, with texts for the operator. */
export function weakSecrets(
  shape: z.ZodRawShape,
  values: Readonly<Record<string, unknown>>,
): { readonly variable: string; readonly message: string }[] {
  return Object.entries(shape).flatMap(([variable, field]) => {
    const judgement = judgements.get(field);
    const value = values[variable];
    const weakness = value === undefined ? undefined : judgement?.weaknessOf(value);
    if (judgement === undefined || weakness === undefined) return [];
    return [{ variable, message: `${weakness}, which is too weak for production: ${judgement.remedy}` }];
  });
}
