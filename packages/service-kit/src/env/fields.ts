import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { strongInProduction, tokenWeakness } from './secret-strength.js';

/** A TCP port, 0 to 65535; 0 lets the system choose. */
export const port = (fallback: number) => integer({ default: fallback, min: 0, max: 65_535 });

/** `true`/`false`, also `1`/`0`, `yes`/`no`, `on`/`off`, in any case. */
export const flag = (fallback: boolean) =>
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(['true', 'false', '1', '0', 'yes', 'no', 'on', 'off'], 'must be true or false'))
    .transform((value) => ['true', '1', 'yes', 'on'].includes(value))
    .default(fallback);

/** A flag, or one more value. */
export const flagOr = <const Word extends string>(word: Word, fallback: boolean) =>
  z.union([z.literal(word), flag(fallback)], `must be true, false or ${word}`);

/** A whole number within bounds. */
export function integer(bounds: { default: number; min: number; max: number }) {
  return wholeNumber(bounds).default(bounds.default);
}

/** A whole number within bounds, or undefined. */
export const optionalInteger = (bounds: { min: number; max: number }) => wholeNumber(bounds).optional();

function wholeNumber(bounds: { min: number; max: number }) {
  const message = `must be a whole number from ${bounds.min} to ${bounds.max}`;
  return z
    .string()
    .regex(/^-?\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= bounds.min && value <= bounds.max, message);
}

/** A part of a whole, such as `0.25`. */
export const part = (fallback: number) => {
  const message = 'must be a number from 0 to 1';
  return z
    .string()
    .regex(/^(?:0|1|0?\.\d{1,9})$/, message)
    .transform(Number)
    .default(fallback);
};

/** Text of at most 4,096 characters. */
const boundedText = z.string().max(4096, 'must be at most 4096 characters');

/** Optional text. */
export const optionalText = () => boundedText.optional();

/** Text with a default. */
export const text = (fallback: string) => boundedText.default(fallback);

/** One of a closed set of values. */
export const choice = <const Options extends readonly [string, ...string[]]>(
  options: Options,
  fallback: NoInfer<Options[number]>,
) => {
  const words = z.enum(options, `must be one of ${options.join(', ')}`);
  return words.default(fallback as z.util.NoUndefined<z.output<typeof words>>);
};

/** A comma-separated list; blanks around items and empty items are dropped. */
export const list = (fallback: readonly string[] = []) => commaSeparated.default([...fallback]);

/** A comma-separated list of `name=value`. */
export const pairs = () =>
  commaSeparated
    .refine(
      (items) => items.length <= 32 && items.every((item) => /^[\w.-]{1,128}=[\w.~:/+ -]{1,256}$/.test(item)),
      'must be a comma-separated list of at most 32 name=value',
    )
    .transform((items): Readonly<Record<string, string>> => Object.fromEntries(items.map((item) => item.split('=', 2))))
    .default({});

/** A comma-separated list of contacts, as URIs. */
export const contacts = () =>
  commaSeparated
    .refine(
      (items) => items.every((item) => /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+?[\d-]+)$/.test(item)),
      'must be a comma-separated list such as mailto:security@example.com, https://example.com/report or tel:+12025550100',
    )
    .default([]);

/** A comma-separated list of trusted addresses and CIDR ranges, IPv4 or IPv6. */
export const cidrs = (fallback: readonly string[] = []) =>
  commaSeparated
    .refine((items) => items.every(isAddressRange), 'must be a comma-separated list of IP addresses or CIDR ranges')
    .refine((items) => !items.some((item) => /\/0+$/.test(item)), 'must not name every address there is')
    .default([...fallback]);

/** A comma-separated list of origins. */
export const origins = () =>
  commaSeparated
    .refine(
      (items) => items.every(isOrigin),
      'must be a comma-separated list of origins as browsers send them, such as https://app.example, without a path or *',
    )
    .default([]);

/** An optional absolute URL with one of the protocols (`https:` with the colon). */
export const url = (options: { protocols: readonly string[] }) =>
  boundedText
    .refine(
      (value) => URL.canParse(value) && options.protocols.includes(new URL(value).protocol),
      `must be a URL starting with ${options.protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    )
    .optional();

/** An optional address of an own service: http or https, without user, query and fragment. */
export const plainUrl = () =>
  url({ protocols: ['http:', 'https:'] }).refine((value) => {
    // A malformed URL was refused above.
    if (value === undefined || !URL.canParse(value)) return true;
    const { username, password, search, hash } = new URL(value);
    return username === '' && password === '' && search === '' && hash === '';
  }, 'must be an address without user, query and fragment, such as https://api.example/chain');

/** An optional secret of a minimal length. In production one that can be guessed is refused, however long it is. */
export const secret = (options: { minLength: number }) =>
  strongInProduction(
    boundedText.min(options.minLength, `must be at least ${options.minLength} characters`).optional(),
    tokenWeakness,
  );

const commaSeparated = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** In full: `10` is an address to some parsers (0.0.0.10) and invalid to others. */
function isAddressRange(range: string): boolean {
  const [address = ''] = range.split('/');
  return isIP(address) !== 0 && (address === range || ipaddr.isValidCIDR(range));
}

/** Whether a text is a complete origin, in the spelling of browsers. */
export function isOrigin(text: string): boolean {
  if (!URL.canParse(text) || text.includes('*')) return false;
  const { protocol, host } = new URL(text);
  return host !== '' && text === `${protocol}//${host}`;
}
