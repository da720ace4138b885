import {
  approvalBody,
  approvalConflict,
  approvalPath,
  approvalReply,
  approvalRule,
  approvalRuleDeleted,
  approvalRulePath,
  approvalRules,
  newApprovalRuleBody,
  waitingApprovals,
} from '@mlango/schemas/oracle-approvals';
import { sendLimits } from '@mlango/schemas/oracle-send';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { withExample } from '@mlango/service-kit/with-example';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { ApprovalRule, Approvals } from '../agent/loop/sql-approvals.js';
import { type SettleParts, settleApproval } from '../agent/suspension.js';
import { rightsOf } from '../identity/route-rights.js';
import { errorReplies } from './errors.js';
import { requireOwnSignature } from './hooks/api-key-auth.js';
import { matrixHeaders, matrixSession } from './start-turn.js';

export interface ApprovalDeps extends SettleParts {
  readonly approvals: Pick<Approvals, 'listWaiting' | 'settle' | 'listRules' | 'requireApproval' | 'dropRule'>;
}

const tags = ['approvals'];

/** Maximum number of listed calls, newest first. */
const listedCalls = 100;

/** `/approvals`: pending calls of the caller, decisions on them, and approval rules. */
export function approvalRoutes(app: HttpApp, deps: ApprovalDeps): void {
  const { approvals } = deps;

  app.get(
    '/approvals',
    {
      config: rightsOf('GET /approvals'),
      schema: {
        tags,
        operationId: 'listApprovals',
        summary: 'List the tool calls that need an approval of the caller',
        description: `Pending tool calls, which run after the caller has allowed them. At most ${listedCalls}, newest first.`,
        response: { 200: waitingApprovals, ...errorReplies(401) },
      },
    },
    async (request) => {
      const waiting = await approvals.listWaiting(callerOf(request).did, listedCalls);
      return {
        approvals: waiting.map(({ createdAt, expiresAt, args, ...call }) => ({
          ...call,
          args: { ...args },
          createdAt: createdAt.toISOString(),
          expiresAt: expiresAt.toISOString(),
        })),
      };
    },
  );

  app.post(
    '/runs/:runId/approvals/:toolCallId',
    {
      config: rightsOf('POST /runs/:runId/approvals/:toolCallId'),
      bodyLimit: sendLimits.bodyBytes,
      schema: {
        tags,
        operationId: 'decideApproval',
        summary: 'Approve or deny a tool call',
        description:
          'The first decision applies, from any client and at any replica. `args`, if present, must equal the arguments of the pending call. ' +
          'With `always`, later calls of the same, unchanged tool are allowed as well; ' +
          '`always` requires an invocation signed by your own key, without proofs. ' +
          'Tokens of the message are not stored while a call is pending: send `mcpInvocations`, `homeServer` and ' +
          '`x-matrix-access-token` again with the approval that resumes the turn.',
        headers: matrixHeaders,
        params: approvalPath,
        body: withExample(approvalBody, { decision: 'allow' }),
        response: { 200: approvalReply, 409: approvalConflict, ...errorReplies(400, 401, 403, 404, 413, 415) },
      },
    },
    async (request) => {
      const { runId, toolCallId } = request.params;
      const { mcpInvocations, homeServer, ...decision } = request.body;
      if (decision.decision === 'always') requireOwnSignature(request);
      const secrets = { mcpInvocations, matrix: matrixSession(request, homeServer) };
      const settled = await settleApproval(deps, callerOf(request).did, runId, toolCallId, decision, secrets);
      if (settled.kind === 'settled') return { ok: true as const, status: settled.status };
      if (settled.kind === 'decided') {
        const decision = settled.as === 'denied' ? 'deny' : 'allow';
        throw new ServiceError('conflict', `The call was already ${settled.as}`, { details: { decision } });
      }
      if (settled.kind === 'changed')
        throw new ServiceError('conflict', 'The arguments differ from those of the pending call');
      throw new ServiceError('not_found', 'Pending call not found');
    },
  );

  app.get(
    '/approvals/always',
    {
      schema: {
        tags,
        operationId: 'listApprovalRules',
        summary: 'List the standing approval rules of the caller',
        description:
          '`allow`: calls run without approval. `ask`: each call needs approval. If two rules match a tool, the newer rule applies.',
        response: { 200: approvalRules, ...errorReplies(401) },
      },
    },
    async (request) => {
      const rules = await approvals.listRules(callerOf(request).did);
      return { rules: rules.map(ruleReply) };
    },
  );

  app.post(
    '/approvals/always',
    {
      config: { stores: 'approval_rules' },
      schema: {
        tags,
        operationId: 'createApprovalRule',
        summary: 'Require an approval for each call of a tool',
        description: 'Deletes earlier rules that allow the tool without approval.',
        body: withExample(newApprovalRuleBody, { says: 'ask', plugin: 'memory', toolName: 'forget' }),
        response: { 201: approvalRule, ...errorReplies(400, 401, 403, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      requireOwnSignature(request);
      const { plugin, toolName } = request.body;
      const rule = await approvals.requireApproval(callerOf(request).did, { plugin, tool: toolName });
      if (rule === undefined) throw new ServiceError('conflict', 'Too many approval rules: delete some first');
      return reply.code(201).send(ruleReply(rule));
    },
  );

  app.delete(
    '/approvals/always/:id',
    {
      schema: {
        tags,
        operationId: 'deleteApprovalRule',
        summary: 'Delete a standing approval rule',
        params: approvalRulePath,
        response: { 200: approvalRuleDeleted, ...errorReplies(400, 401, 404) },
      },
    },
    async (request) => {
      const isDropped = await approvals.dropRule(callerOf(request).did, request.params.id);
      if (!isDropped) throw new ServiceError('not_found', 'Approval rule not found');
      return { ok: true as const };
    },
  );
}

function ruleReply({ id, says, plugin, tool, createdAt }: ApprovalRule) {
  return { id, says, plugin, toolName: tool, createdAt: createdAt.toISOString() };
}
