import {
  approvalBody,
  approvalConflict,
  approvalPath,
  approvalReply,
  approvalRule,
  approvalRuleGone,
  approvalRulePath,
  approvalRules,
  askBeforeBody,
  waitingApprovals,
} from '@mlango/schemas/oracle-approvals';
import { sendLimits } from '@mlango/schemas/oracle-send';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { withExample } from '@mlango/service-kit/with-example';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { ApprovalRule, Approvals } from '../agent/loop/approvals.js';
import { type SettleParts, settleApproval } from '../agent/settle-approval.js';
import { rightsOf } from '../identity/route-rights.js';
import { errorReplies } from './errors.js';
import { requireOwnSignature } from './hooks/api-key-auth.js';
import { matrixHeaders, matrixSession } from './start-turn.js';

export interface ApprovalDeps extends SettleParts {
  readonly approvals: Approvals;
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
        summary: 'List the tool calls that wait for an approval of the caller',
        description: `Calls of tools that are made once the caller has allowed them, the newest ${listedCalls} first.`,
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
          'What is said first holds, whoever says it and at which replica. `args`, where given, are refused unless they are what ' +
          'waits. With `always`, calls of the same tool, as it is now, are allowed from then on; that takes an invocation signed by your own key, without proofs. Tokens that came with the message are ' +
          'not kept while a call waits: `mcpInvocations`, `homeServer` and `x-matrix-access-token` come again with the approval that lets ' +
          'the turn go on.',
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
        throw new ServiceError('conflict', `It was ${settled.as} before`, { details: { decision } });
      }
      if (settled.kind === 'changed') throw new ServiceError('conflict', 'These are not the arguments that wait');
      throw new ServiceError('not_found', 'Nothing of that name waits');
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
          'That they are allowed (`allow`), or to be asked for (`ask`). Of two rules that fit a tool the newer one counts.',
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
        description: 'What was allowed for good of it before is taken back.',
        body: withExample(askBeforeBody, { says: 'ask', plugin: 'memory', toolName: 'forget' }),
        response: { 201: approvalRule, ...errorReplies(400, 401, 403, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      requireOwnSignature(request);
      const { plugin, toolName } = request.body;
      const rule = await approvals.requireApproval(callerOf(request).did, { plugin, tool: toolName });
      if (rule === undefined) throw new ServiceError('conflict', 'There are too many rules: take some back first');
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
        response: { 200: approvalRuleGone, ...errorReplies(400, 401, 404) },
      },
    },
    async (request) => {
      const isGone = await approvals.dropRule(callerOf(request).did, request.params.id);
      if (!isGone) throw new ServiceError('not_found', 'There is no such rule');
      return { ok: true as const };
    },
  );
}

function ruleReply({ id, says, plugin, tool, createdAt }: ApprovalRule) {
  return { id, says, plugin, toolName: tool, createdAt: createdAt.toISOString() };
}
