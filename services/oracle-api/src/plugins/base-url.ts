import { z } from 'zod';

/** The address below which a service is asked: a setting that several plugins have. */
export const baseUrl = z
  .string()
  .refine(isBase, 'must be a URL starting with http:// or https://, without a user, a query or a fragment');

function isBase(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && `${username}${password}${search}${hash}` === '';
}
