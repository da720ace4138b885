import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { TurnOutcome } from '../../agent/lifecycle/turn-outcome.js';
import { isObject, jsonIn } from '../../json-in.js';
import type { RunStart } from '../../runs/run-store.js';

/** What is known of a turn that has ended, or waits for its user. */
export type KnownTurn = Pick<TurnOutcome, 'content' | 'toolCalls' | 'failure'> & {
  readonly status?: TurnOutcome['status'] | undefined;
};

/** What `ask` gives: the answer, and where it is kept. */
export function answerResult({ sessionId, runId }: RunStart, turn: KnownTurn): CallToolResult {
  const { content, status, failure } = turn;
  const isStopped = status === 'aborted' || status === 'interrupted';
  const reason = failure?.detail ?? (isStopped ? 'The answer was stopped before its end.' : undefined);
  const answer = [content, reason].filter(Boolean).join('\n\n');
  return {
    content: [{ type: 'text', text: answer }],
    structuredContent: { answer, session: sessionId, run: runId, status, ...waitingOf(turn) },
    ...(reason === undefined ? {} : { isError: true }),
  };
}

/** What a tool gives that was called by its name. */
export function toolResult({ runId }: Pick<RunStart, 'runId'>, tool: string, turn: KnownTurn): CallToolResult {
  const call = turn.toolCalls?.findLast(({ name }) => name === tool);
  const output = jsonIn(call?.output ?? '');
  if (call?.status === 'waiting') {
    return {
      content: [{ type: 'text', text: turn.content }],
      structuredContent: { run: runId, status: 'waiting', ...waitingOf(turn) },
    };
  }
  if (call?.status !== 'done') {
    const text = errorIn(output) ?? turn.failure?.detail ?? 'Not called: the turn ended before.';
    return { content: [{ type: 'text', text }], isError: true };
  }
  const text = typeof output === 'string' ? output : (call.output ?? '');
  return { content: [{ type: 'text', text }], ...(isObject(output) ? { structuredContent: output } : {}) };
}

/** The calls that the user has to allow first, at `/runs/:runId/approvals/:toolCallId`. */
function waitingOf({ toolCalls = [] }: KnownTurn) {
  const waiting = toolCalls.filter(({ status }) => status === 'waiting');
  return waiting.length === 0
    ? {}
    : { waiting: waiting.map(({ id, name, args }) => ({ toolCallId: id, toolName: name, args })) };
}

function errorIn(output: unknown): string | undefined {
  return isObject(output) && typeof output['error'] === 'string' ? output['error'] : undefined;
}
