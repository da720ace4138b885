import { z } from 'zod';

const problem = 'must be a URL starting with http:// or https://, without a user, a query or a fragment';

function isBase(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && `${username}${password}${search}${hash}` === '';
}

export const chainSettings = z.object({
  /** Base address of the query gateway. */
  PROTO_GATEWAY_URL: z.string().refine(isBase, problem),
  /** For a gateway that asks who calls. */
  PROTO_GATEWAY_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/, 'must be 16 to 256 characters of printable ASCII without blanks')
    .optional(),
});
