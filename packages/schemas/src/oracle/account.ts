import { z } from 'zod';

const count = z.int().min(0);

export const accountDeleted = z
  .object({
    id: z.string(),
    did: z.string(),
    oracleDid: z.string(),
    deletedAt: z.iso.datetime().describe('ISO 8601, UTC'),
    deleted: z.record(z.string(), count).describe('Deleted rows by kind; a kind of a plugin is `plugin/kind`'),
    kept: z.array(z.object({ kind: z.string(), count: count.optional(), why: z.string() })),
    jws: z
      .string()
      .describe('This receipt as a compact JSON Web Signature (EdDSA); `kid` is the did:key of the signing key'),
  })
  .describe('A receipt of a deletion: user, rows and time');
export type AccountDeleted = z.infer<typeof accountDeleted>;
