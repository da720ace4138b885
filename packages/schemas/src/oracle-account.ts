import { z } from 'zod';

const count = z.int().min(0);

export const accountDeleted = z
  .object({
    id: z.string(),
    did: z.string(),
    oracleDid: z.string(),
    deletedAt: z.iso.datetime().describe('ISO 8601, UTC'),
    deleted: z.record(z.string(), count).describe('rows that are gone, by kind; of plugins as `plugin/kind`'),
    kept: z.array(z.object({ kind: z.string(), count: count.optional(), why: z.string() })),
    jws: z
      .string()
      .describe('the same, signed: a JSON Web Signature (compact, EdDSA) by the key whose did:key is its `kid`'),
  })
  .describe('A receipt: what was deleted of whom, and when');
export type AccountDeleted = z.infer<typeof accountDeleted>;
