import { z } from 'zod';

const tokens = z.int().min(0);

export const creditAccount = z
  .object({
    did: z.string().describe('whose account it is: what a top-up names'),
    balance: tokens.optional(),
    owed: tokens.describe('what open claims will take'),
    claims: z.array(z.string()).describe('ids of open claims, oldest first, at most 20'),
  })
  .describe('How a user stands, in tokens');

export const creditTopUp = z.object({
  topUpId: z.string().min(1).max(128).describe('of the payment; told again it changes nothing'),
  did: z
    .string()
    .max(2_048)
    .regex(/^did:[a-z0-9]+:\S+$/, 'must be a DID'),
  tokens: z.int().min(1).max(1_000_000_000_000),
});

export const creditTopUpReply = z.object({ balance: tokens });

export const claimsProcessed = z.object({ settled: z.int().min(0) });
