import { z } from 'zod';
import { jsonError } from './errors.js';
import { isoTime } from './iso-time.js';
import { runStatus } from './oracle-events.js';
import { mcpInvocations, sendLimits } from './oracle-send.js';
import { withoutNul } from './without-nul.js';

const toolArgs = z.record(z.string(), z.unknown());

/** What may be said to a call that waits: this once, not this once, or for all calls of this tool from now on. */
export const approvalDecision = z.enum(['allow', 'deny', 'always']);
export type ApprovalDecision = z.infer<typeof approvalDecision>;

export const approvalLimits = { reasonChars: 1_000, idChars: 256, nameChars: 128 } as const;

export const approvalPath = z.object({
  runId: z.string().max(approvalLimits.idChars),
  toolCallId: z.string().max(approvalLimits.idChars),
});

const approvalFields = z.object({
  decision: approvalDecision,
  args: toolArgs.optional().describe('what was shown to the one who decides: refused where it is not what waits'),
  changed: toolArgs.optional().describe('with `allow`: what the call is made with in the place of what waits'),
  reason: z.string().max(approvalLimits.reasonChars).optional().describe('told to the model'),
  mcpInvocations: mcpInvocations.optional(),
  homeServer: z.string().max(sendLimits.homeServerChars).optional().describe("The user's Matrix homeserver."),
});

/** What is allowed for good, or denied, has no arguments of its own. */
const mayChange = ({ decision, changed }: z.infer<typeof approvalFields>) =>
  changed === undefined || decision === 'allow';
const changesAllowed = { path: ['changed'], error: 'goes with `allow` alone' };

export const approvalBody = approvalFields.refine(mayChange, changesAllowed);
export type ApprovalBody = z.infer<typeof approvalBody>;

export const approvalReply = z.object({
  ok: z.literal(true),
  status: runStatus.describe('of the run: `waiting` while others of its calls wait'),
});

/** The payload of the socket event `approval_result`. */
export const approvalResultPayload = approvalPath.extend(approvalFields.shape).refine(mayChange, changesAllowed);

/** What was said first holds: `decision`; without it, something else waits than was shown. */
export const approvalConflict = jsonError
  .extend({ decision: z.enum(['allow', 'deny']).optional() })
  .describe('Decided before, or not what waits');

export const waitingApproval = z.object({
  runId: z.string(),
  sessionId: z.string(),
  requestId: z.string(),
  toolCallId: z.string(),
  toolName: z.string(),
  plugin: z.string(),
  args: toolArgs,
  title: z.string(),
  reason: z.string(),
  createdAt: isoTime,
  expiresAt: isoTime,
});
export type WaitingApproval = z.infer<typeof waitingApproval>;

export const waitingApprovals = z.object({ approvals: z.array(waitingApproval) });

const anyName = 'or `*` for any';

export const approvalRule = z.object({
  id: z.string(),
  says: z.enum(['allow', 'ask']).describe('what happens to calls: of two rules for a tool the newer one counts'),
  plugin: z.string().describe(anyName),
  toolName: z.string().describe(anyName),
  createdAt: isoTime,
});

const named = z
  .string()
  .min(1)
  .max(approvalLimits.nameChars)
  .refine(...withoutNul)
  .default('*')
  .describe(anyName);

/** “Always ask before …”. What is allowed for good is said to a call that waits. */
export const askBeforeBody = z
  .object({ says: z.literal('ask'), plugin: named, toolName: named })
  .refine(({ plugin, toolName }) => plugin !== '*' || toolName !== '*', {
    path: ['toolName'],
    error: 'name a tool, a plugin, or both',
  });

export const approvalRules = z.object({ rules: z.array(approvalRule) });

export const approvalRulePath = z.object({ id: z.string().max(approvalLimits.idChars) });

export const approvalRuleGone = z.object({ ok: z.literal(true) });
