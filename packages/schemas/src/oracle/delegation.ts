import { z } from 'zod';

/** On a user's DID: to read that user's conversations and to continue them. The grantee acts in the user's place. */
export const converseAbility = 'oracle/converse';

/** Characters of a stored delegation. */
const tokenChars = 8_192;

/** The client's fields must match those of the token. */
export const storeDelegationBody = z
  .object({
    raw: z
      .string()
      .trim()
      .min(1)
      .max(tokenChars)
      .describe('Base64 CAR of the delegation, from the user to this oracle'),
    issuer: z.string().max(2_048).nullish().describe('Same as in the token'),
    audience: z.string().max(2_048).nullish().describe('Same as in the token'),
    expiration: z.number().nullish().describe('Expiry of the token, Unix seconds'),
  })
  .describe('StoreDelegationDto');

const expiration = z.int().optional().describe('Expiry of the token, Unix seconds');

export const delegationStored = z.object({ ok: z.literal(true), expiration });
export const delegationStatus = z.object({ authorized: z.boolean(), expiration });
export const delegationRevoked = z.object({ ok: z.literal(true) });

/** `POST /revocations`: a UCAN token that revokes another one. */
export const revocationBody = z
  .object({
    token: z
      .string()
      .trim()
      .min(1)
      .max(tokenChars)
      .describe('Base64 CAR of an invocation of `ucan/revoke` by the issuer'),
  })
  .describe('Revocation of a token');
export const revocationRecorded = z.object({ ok: z.literal(true) });
