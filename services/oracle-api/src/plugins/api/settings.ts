import { z } from 'zod';

/** Base address of a service: a setting that several plugins have. */
export const baseUrl = z
  .string()
  .refine(
    (text) => isBase(text, ['http:', 'https:']),
    'must be a URL starting with http:// or https://, without a user, a query or a fragment',
  );

/**
 * Whether a text is an absolute URL of one of the protocols (with the colon), without a user, a query or a fragment.
 */
export function isBase(text: string, protocols: readonly string[]): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return protocols.includes(protocol) && `${username}${password}${search}${hash}` === '';
}

/** A whole number within bounds: a setting that several plugins have. */
export function wholeNumber({ default: fallback, min, max }: { default: number; min: number; max: number }) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,12}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .default(fallback);
}
