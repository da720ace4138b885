import { z } from 'zod';
import { withoutNul } from './without-nul.js';

const tokens = z.int().min(0);

export const creditAccount = z
  .object({
    did: z.string().describe('whose account it is: what a top-up names'),
    balance: tokens.optional(),
    held: tokens.optional().describe('set aside for answers under way'),
    turnTokens: tokens.optional().describe('the most that one answer may take'),
    owed: tokens.describe('what open claims will take'),
    claims: z.array(z.string()).describe('ids of open claims, oldest first, at most 20'),
  })
  .describe('How a user stands, in tokens');

export const creditTopUp = z.object({
  topUpId: z
    .string()
    .min(1)
    .max(128)
    .refine(...withoutNul)
    .describe('of the payment; told again it changes nothing'),
  did: z
    .string()
    .max(2_048)
    .regex(/^did:[a-z0-9]+:\S+$/, 'must be a DID')
    .refine(...withoutNul),
  tokens: z.int().min(1).max(1_000_000_000_000),
});

export const creditTopUpReply = z.object({ balance: tokens });

export const claimsProcessed = z.object({ settled: z.int().min(0) });

const claimId = z.string().min(1).max(256);

/** What a subscription API answers about a user. */
export const subscriptionStanding = z.object({
  active: z.boolean().describe('whether the user is answered'),
  claims: z.array(claimId).max(1_000).default([]).describe('what they have to pay first'),
  remaining: tokens
    .optional()
    .describe(
      'what is left of what they have paid for, less the claims that were accepted; without it nothing is counted',
    ),
});

/** What a subscription API is told of usage. */
export const claimsSubmission = z.object({
  claims: z
    .array(
      z.object({
        claimId: claimId.describe('the same claim has the same id each time'),
        did: z.string(),
        tokens: tokens.describe('0 for a claim that somebody without credits was asked to begin with'),
        openedAt: z.iso.datetime(),
      }),
    )
    .min(1)
    .max(100),
});
export type SubmittedClaim = z.infer<typeof claimsSubmission>['claims'][number];

/** Of what it was told: what it keeps now, or kept before. */
export const claimsAccepted = z.object({ accepted: z.array(claimId).max(1_000) });
