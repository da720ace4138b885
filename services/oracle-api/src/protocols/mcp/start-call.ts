import { createHash } from 'node:crypto';
import { firstProblem, ServiceError } from '@mlango/service-kit/errors';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type FromDoor, type SendDeps, startTurn } from '../../http/start-turn.js';
import { requireContent } from '../../http/take-api-keys.js';
import type { OfferedTool } from '../../plugins/host/plugin-offer.js';
import type { RunStart } from '../../runs/run-store.js';
import type { RpcId } from '../json-rpc.js';
import { anyFields } from '../null-is-absent.js';
import { inNewSession, type SessionParts } from '../open-session.js';
import { type PassingSessions, replyEnd } from '../passing-sessions.js';
import { answerResult, toolResult } from './call-result.js';
import { callingModel } from './calling-model.js';
import { askArgs, askName } from './tools.js';

export interface CallDeps extends SendDeps, SessionParts {
  readonly conversations: SendDeps['conversations'];
  readonly newId: () => string;
  readonly passing: PassingSessions;
}

export const callParams = z.looseObject({
  name: z.string(),
  arguments: anyFields,
  _meta: z.looseObject({ progressToken: z.union([z.string().max(200), z.int()]).nullish() }).nullish(),
});

/** A call under way. */
export interface StartedCall extends RunStart {
  /** Whether its stream can be read again: that of a call by its name is gone with the call. */
  readonly isKept: boolean;
  /** What comes of it. Never rejects. */
  readonly result: () => Promise<CallToolResult>;
}

/** Starts the turn that makes a call. @throws ServiceError for whatever can be refused before it has begun. */
export async function startCall(
  deps: CallDeps,
  offered: readonly OfferedTool[],
  request: FastifyRequest,
  reply: FastifyReply,
  { name, arguments: args }: z.output<typeof callParams>,
  requestId: string,
): Promise<StartedCall> {
  const ownerDid = callerOf(request).did;
  const start = async (
    sessionId: string,
    words: { message: string; model?: string | undefined } & Pick<FromDoor, 'answeredBy'>,
  ) => {
    const body = { ...words, requestId, stream: true, returnAllMessages: false, ownerDid, sessionId };
    return { ...(await startTurn(deps, request, reply, body)), ownerDid, sessionId };
  };
  if (name === askName) {
    const { message, session, model } = asked(args);
    const say = (sessionId: string) => start(sessionId, { message, model });
    const turn = await (session === undefined ? inNewSession(deps, ownerDid, say) : say(session));
    return { ...turn, isKept: true, result: async () => answerResult(turn, await turn.finished) };
  }
  const tool = offered.find((one) => one.name === name);
  if (tool === undefined) throw new ServiceError('invalid_argument', `There is no tool ${name.slice(0, 200)}`);
  requireContent(request, 'calls');
  // Its result is not written by a model: it is what the user has stored.
  if (tool.isHarmless) requireContent(request, 'earlier');
  const words = { message: `A program calls the tool ${name}.`, answeredBy: callingModel(tool, args) };
  // A client that closes its connection has not cancelled its call: this protocol has a message for that.
  const read = replyEnd(reply).then(() => 'sent' as const);
  const turn = await deps.passing.start(ownerDid, read, (sessionId) => start(sessionId, words));
  return { ...turn, isKept: false, result: async () => toolResult(turn, name, await turn.finished) };
}

function asked(args: Readonly<Record<string, unknown>>): z.output<typeof askArgs> {
  const read = askArgs.safeParse(args);
  if (read.success) return read.data;
  throw new ServiceError('invalid_argument', firstProblem(read.error, 'arguments'));
}

/**
 * The id of the answer to a request of a client: made of what the client says again when it takes the request back, at whichever replica.
 * Undefined where it has no session, whose ids it would share with others.
 */
export function requestIdOf(mcpSession: string | undefined, id: RpcId): string | undefined {
  if (mcpSession === undefined) return undefined;
  return `mcp-${createHash('sha256')
    .update(JSON.stringify([mcpSession, id]))
    .digest('hex')
    .slice(0, 40)}`;
}
