import { isObject, parseJson } from '@mlango/service-kit/parse-json';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { TurnOutcome } from '../../agent/turn.js';
import { eventOf } from '../../http/runs.js';
import type { LoggedEvent, RunFrame, RunStart } from '../../runs/log/store.js';
import { type RpcId, resultOf } from '../json-rpc.js';

/** Position of a reader in a call, encoded in event ids so that any replica can resume the stream. */
export interface PlaceInCall {
  readonly runId: string;
  readonly rpcId: RpcId;
  readonly progressToken?: string | number | undefined;
  /** The last frame that was read. */
  readonly after: number;
}

const number = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const idOrNumber = z.union([z.string().max(200), z.int()]);
const place = z.tuple([z.string().max(200), idOrNumber, number, idOrNumber.nullable()]);

/** @returns undefined for an invalid event id */
export function placeIn(eventId: string): PlaceInCall | undefined {
  const read = place.safeParse(parseJson(Buffer.from(eventId.slice(0, 2_000), 'base64url').toString()));
  if (!read.success) return undefined;
  const [runId, rpcId, after, progressToken] = read.data;
  return { runId, rpcId, after, progressToken: progressToken ?? undefined };
}

function eventIdOf({ runId, rpcId, after, progressToken }: PlaceInCall): string {
  return Buffer.from(JSON.stringify([runId, rpcId, after, progressToken ?? null])).toString('base64url');
}

interface CallEvent {
  readonly id?: string;
  /** Absent if the event only carries the position. */
  readonly message?: object;
}

/**
 * The frames of a run as messages of a call: progress if requested, and the result.
 *
 * @param isResumable whether the stream can be resumed
 * @param isPrimed whether the client accepts events with only an id
 */
export async function* runEvents(
  frames: AsyncIterable<readonly RunFrame[]>,
  from: PlaceInCall,
  { isResumable, isPrimed, result }: { isResumable: boolean; isPrimed: boolean; result: () => Promise<CallToolResult> },
): AsyncGenerator<readonly CallEvent[]> {
  const at = (after: number) => (isResumable ? { id: eventIdOf({ ...from, after }) } : {});
  if (isResumable && isPrimed) yield [at(from.after)];
  for await (const batch of frames) {
    const events: CallEvent[] = [];
    for (const frame of batch) {
      const event = eventOf(frame);
      if (event.event === 'done') events.push({ ...at(frame.id), message: resultOf(from.rpcId, await result()) });
      else {
        const message = progressOf(from, frame, event);
        if (message !== undefined) events.push({ ...at(frame.id), message });
      }
    }
    if (events.length > 0) yield events;
  }
}

function progressOf({ progressToken, after }: PlaceInCall, { id }: RunFrame, event: LoggedEvent): object | undefined {
  const words = progressText(event);
  // Progress must increase.
  if (progressToken === undefined || words === undefined || id <= after) return undefined;
  return { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: id, message: words } };
}

/** New text, or the state of a tool call. */
function progressText({ event, data }: LoggedEvent): string | undefined {
  if (event === 'message') return data.content;
  if (event === 'tool_call' || event === 'action_call') {
    return data.status === 'isRunning' ? `[calls ${data.toolName}]` : `[${data.toolName} is done]`;
  }
  return undefined;
}

export function eventText({ id, message }: CallEvent): string {
  const data = message === undefined ? '' : JSON.stringify(message);
  return `${id === undefined ? '' : `id: ${id}\n`}${message === undefined ? '' : 'event: message\n'}data: ${data}\n\n`;
}

/** A finished or suspended turn. */
export type KnownTurn = Pick<TurnOutcome, 'content' | 'toolCalls' | 'failure'> & {
  readonly status?: TurnOutcome['status'] | undefined;
};

/** Result of `ask`: the answer with its session and run. */
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

/** Result of a plugin tool. */
export function toolResult({ runId }: Pick<RunStart, 'runId'>, tool: string, turn: KnownTurn): CallToolResult {
  const call = turn.toolCalls?.findLast(({ name }) => name === tool);
  const output = parseJson(call?.output ?? '');
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

/** Calls that need an approval at `/runs/:runId/approvals/:toolCallId`. */
function waitingOf({ toolCalls = [] }: KnownTurn) {
  const waiting = toolCalls.filter(({ status }) => status === 'waiting');
  return waiting.length === 0
    ? {}
    : { waiting: waiting.map(({ id, name, args }) => ({ toolCallId: id, toolName: name, args })) };
}

function errorIn(output: unknown): string | undefined {
  return isObject(output) && typeof output['error'] === 'string' ? output['error'] : undefined;
}
