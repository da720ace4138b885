import { createHash } from 'node:crypto';
import { firstProblem, ServiceError } from '@mlango/service-kit/errors';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireContent } from '../../http/hooks/api-key-auth.js';
import { type ProtocolInput, type SendDeps, startTurn } from '../../http/start-turn.js';
import type { LanguageModel, ModelPart } from '../../models/language-model.js';
import type { OfferedTool } from '../../plugins/host/plugin-start.js';
import type { RunStart } from '../../runs/log/store.js';
import { anyFields } from '../fields.js';
import type { RpcId } from '../json-rpc.js';
import { inNewSession, replyEnd, type SessionParts, type TemporarySessions } from '../sessions.js';
import { answerResult, toolResult } from './events.js';
import { messageToolArgs, messageToolName } from './methods-without-run.js';

export interface RunDeps extends SendDeps, SessionParts {
  readonly conversations: SendDeps['conversations'];
  readonly newId: () => string;
  readonly passing: TemporarySessions;
}

/** Parameters of `tools/call`. */
export const runRequest = z.looseObject({
  name: z.string(),
  arguments: anyFields,
  _meta: z.looseObject({ progressToken: z.union([z.string().max(200), z.int()]).nullish() }).nullish(),
});

/** A running call. */
export interface StartedCall extends RunStart {
  /** Whether its stream can be resumed: only for `ask`, because its session is permanent. */
  readonly isResumable: boolean;
  /** Its result. Never rejects. */
  readonly result: () => Promise<CallToolResult>;
}

/** Starts the turn that makes a call. @throws ServiceError if the call is refused */
export async function startRun(
  deps: RunDeps,
  offered: readonly OfferedTool[],
  request: FastifyRequest,
  reply: FastifyReply,
  { name, arguments: args }: z.output<typeof runRequest>,
  requestId: string,
): Promise<StartedCall> {
  const ownerDid = callerOf(request).did;
  const start = async (
    sessionId: string,
    words: { message: string; model?: string | undefined } & Pick<ProtocolInput, 'answeredBy'>,
  ) => {
    const body = { ...words, requestId, stream: true, returnAllMessages: false, ownerDid, sessionId };
    return { ...(await startTurn(deps, request, reply, body)), ownerDid, sessionId };
  };
  if (name === messageToolName) {
    const { message, session, model } = messageToolArgsIn(args);
    const send = (sessionId: string) => start(sessionId, { message, model });
    const turn = await (session === undefined ? inNewSession(deps, ownerDid, send) : send(session));
    return { ...turn, isResumable: true, result: async () => answerResult(turn, await turn.finished) };
  }
  const tool = offered.find((one) => one.name === name);
  if (tool === undefined) throw new ServiceError('invalid_argument', `There is no tool ${name.slice(0, 200)}`);
  requireContent(request, 'calls');
  // The result is stored user data, not text of a model.
  if (tool.isHarmless) requireContent(request, 'earlier');
  const words = { message: `A program calls the tool ${name}.`, answeredBy: callingModel(tool, args) };
  // A closed connection does not cancel a call: MCP has a message for that.
  const read = replyEnd(reply).then(() => 'sent' as const);
  const turn = await deps.passing.start(ownerDid, read, (sessionId) => start(sessionId, words));
  return { ...turn, isResumable: false, result: async () => toolResult(turn, name, await turn.finished) };
}

function messageToolArgsIn(args: Readonly<Record<string, unknown>>): z.output<typeof messageToolArgs> {
  const read = messageToolArgs.safeParse(args);
  if (read.success) return read.data;
  throw new ServiceError('invalid_argument', firstProblem(read.error, 'arguments'));
}

/**
 * Request id derived from the MCP session and request id, so that a cancellation finds the run at any replica.
 * Undefined without a session, because request ids are unique per session only.
 */
export function requestIdOf(mcpSession: string | undefined, id: RpcId): string | undefined {
  if (mcpSession === undefined) return undefined;
  return `mcp-${createHash('sha256')
    .update(JSON.stringify([mcpSession, id]))
    .digest('hex')
    .slice(0, 40)}`;
}

/**
 * A model that makes the one call that a program has requested. The call is part of a turn, so approval, limits, records and payment
 * apply. It uses no tokens.
 */
function callingModel(
  tool: Pick<OfferedTool, 'plugin' | 'name'>,
  args: Readonly<Record<string, unknown>>,
): LanguageModel {
  const toDo = [
    // The tools of a plugin may have to be loaded first.
    {
      name: 'load_capability',
      args: { name: tool.plugin },
      isNeeded: (names: readonly string[]) => !names.includes(tool.name),
    },
    { name: tool.name, args, isNeeded: () => true },
  ];
  return {
    id: 'called-by-a-program',
    label: 'A call by a program',
    async *stream({ tools = [] }): AsyncIterable<ModelPart> {
      const names = tools.map(({ name }) => name);
      let next = toDo.shift();
      while (next !== undefined && !next.isNeeded(names)) next = toDo.shift();
      if (next === undefined) yield { type: 'text', delta: 'Called.' };
      else yield { type: 'tool_call', call: { name: next.name, args: next.args } };
      yield { type: 'usage', usage: { inputTokens: 0, outputTokens: 0 } };
    },
  };
}
