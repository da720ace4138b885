import { z } from 'zod';
import { jsonError } from '../common/errors.js';
import { isoTime } from '../common/iso-time.js';
import { withoutNul } from '../common/without-nul.js';
import { runStatus } from './events.js';
import { mcpInvocations, sendLimits } from './send.js';

const toolArgs = z.record(z.string(), z.unknown());

/** Decisions on a pending call: allow or deny it once, or allow all further calls of this tool. */
export const approvalDecision = z.enum(['allow', 'deny', 'always']);
export type ApprovalDecision = z.infer<typeof approvalDecision>;

export const approvalLimits = { reasonChars: 1_000, idChars: 256, nameChars: 128 } as const;

export const approvalPath = z.object({
  runId: z.string().max(approvalLimits.idChars),
  toolCallId: z.string().max(approvalLimits.idChars),
});

const approvalFields = z.object({
  decision: approvalDecision,
  args: toolArgs
    .optional()
    .describe('Arguments that the user saw; the decision is refused if the pending call has others'),
  changed: toolArgs.optional().describe('With `allow`: arguments that replace those of the pending call'),
  reason: z.string().max(approvalLimits.reasonChars).optional().describe('Passed to the model'),
  mcpInvocations: mcpInvocations.optional(),
  homeServer: z.string().max(sendLimits.homeServerChars).optional().describe("The user's Matrix homeserver."),
});

/** Changed arguments are valid with `allow` only. */
const mayChange = ({ decision, changed }: z.infer<typeof approvalFields>) =>
  changed === undefined || decision === 'allow';
const changesAllowed = { path: ['changed'], error: 'goes with `allow` alone' };

export const approvalBody = approvalFields.refine(mayChange, changesAllowed);
export type ApprovalBody = z.infer<typeof approvalBody>;

export const approvalReply = z.object({
  ok: z.literal(true),
  status: runStatus.describe('Status of the run: `waiting` while other calls of the run wait for a decision'),
});

/** The payload of the socket event `approval_result`. */
export const approvalResultPayload = approvalPath.extend(approvalFields.shape).refine(mayChange, changesAllowed);

/** The first decision holds (`decision`); without it the pending call differs from the one that was shown. */
export const approvalConflict = jsonError
  .extend({ decision: z.enum(['allow', 'deny']).optional() })
  .describe('The call was already decided, or is not the pending one');

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

const anyName = 'A name, or `*` for any';

export const approvalRule = z.object({
  id: z.string(),
  says: z.enum(['allow', 'ask']).describe('Decision for matching calls; the newer of two rules for a tool applies'),
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

/** Requires approval for a tool. The reply to a pending call is what can allow one permanently. */
export const newApprovalRuleBody = z
  .object({ says: z.literal('ask'), plugin: named, toolName: named })
  .refine(({ plugin, toolName }) => plugin !== '*' || toolName !== '*', {
    path: ['toolName'],
    error: 'name a tool, a plugin, or both',
  });

export const approvalRules = z.object({ rules: z.array(approvalRule) });

export const approvalRulePath = z.object({ id: z.string().max(approvalLimits.idChars) });

export const approvalRuleDeleted = z.object({ ok: z.literal(true) });
