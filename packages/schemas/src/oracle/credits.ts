import { z } from 'zod';
import { withoutNul } from '../common/without-nul.js';

const tokens = z.int().min(0);

export const creditAccount = z
  .object({
    did: z.string().describe('DID of the account, as used in a top-up'),
    balance: tokens.optional(),
    held: tokens.optional().describe('Reserved for running answers'),
    turnTokens: tokens.optional().describe('Maximum for one answer'),
    owed: tokens.describe('Total of the open claims'),
    claims: z.array(z.string()).describe('Ids of open claims, oldest first, at most 20'),
  })
  .describe('Balance of a user, in tokens');

export const creditTopUp = z.object({
  topUpId: z
    .string()
    .min(1)
    .max(128)
    .refine(...withoutNul)
    .describe('Id of the payment; a repeated report has no effect'),
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

/** Reply of a subscription API about a user. */
export const subscriptionStanding = z.object({
  active: z.boolean().describe('Whether messages of the user are answered'),
  claims: z.array(claimId).max(1_000).default([]).describe('Claims that the user must pay first'),
  remaining: tokens.optional().describe('Remaining credits after accepted claims; usage is not counted if absent'),
});

/** Usage report to a subscription API. */
export const claimsSubmission = z.object({
  claims: z
    .array(
      z.object({
        claimId: claimId.describe('Id of the claim, equal in repeated requests'),
        did: z.string(),
        tokens: tokens.describe('0 for the claim that a user without credits must pay first'),
        openedAt: z.iso.datetime(),
      }),
    )
    .min(1)
    .max(100),
});
export type SubmittedClaim = z.infer<typeof claimsSubmission>['claims'][number];

/** The reported claims that are stored, by this report or an earlier one. */
export const claimsAccepted = z.object({ accepted: z.array(claimId).max(1_000) });
