import type { ModelToolCall } from '../../models/language-model.js';
import type { StoredToolCall } from '../../store/conversation-store.js';
import type { Turn, TurnPorts } from '../lifecycle/turn.js';
import type { AskedCall } from './ask-model.js';
import type { FrontendAnswer } from './frontend-calls.js';
import { cutShort } from './open-tools.js';
import type { TurnTool } from './turn-tool.js';

/** Characters of JSON that a tool may give back. */
const outputChars = 65_536;

export interface ToolCallParts {
  readonly turn: Turn;
  readonly ports: TurnPorts;
  /** Undefined when there is none of that name. */
  readonly tool: TurnTool | undefined;
  readonly call: AskedCall;
  /** Why the call is not made. */
  readonly refusal: string | undefined;
  readonly signal: AbortSignal;
  /** Told when the arguments did not fit. */
  readonly onBadCall: () => void;
}

/**
 * Calls a tool for the model and tells of its beginning and its end. Never rejects: a failure is an output that the model
 * can explain. A call that the end of the turn overtakes is left behind.
 */
export async function callTool(parts: ToolCallParts): Promise<StoredToolCall & { output: string }> {
  const { turn, ports, tool, call, onBadCall } = parts;
  await ports.emit(callEvent(turn, tool, call, 'isRunning', {}));
  const answer = await answerOf(parts);
  if (!answer.ok && answer.isBadCall === true) onBadCall();
  const output = outputOf(answer);
  const ending = answer.ok ? { output } : { output, error: answer.error };
  await ports.emit(callEvent(turn, tool, call, answer.ok ? 'done' : 'error', ending));
  const { id, name, args } = call;
  const kind = tool?.kind === 'action' ? { kind: 'action' as const } : {};
  return { id, name, ...kind, args, status: answer.ok ? 'done' : 'error', output };
}

async function answerOf({ tool, call, refusal, signal }: ToolCallParts): Promise<FrontendAnswer> {
  const { id, name, args, problem } = call;
  if (tool === undefined) return { ok: false, error: `There is no tool called ${name}.`, isBadCall: true };
  if (refusal !== undefined) return { ok: false, error: refusal };
  if (problem !== undefined) return { ok: false, error: problem, isBadCall: true };
  if (signal.aborted) return { ok: false, error: cutShort };
  return new Promise((resolve) => {
    const onAbort = () => resolve({ ok: false, error: cutShort });
    signal.addEventListener('abort', onAbort, { once: true });
    void Promise.resolve()
      .then(() => tool.call(args, { toolCallId: id, signal }))
      .catch((): FrontendAnswer => ({ ok: false, error: 'The tool failed.' }))
      .then(resolve)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function outputOf(answer: FrontendAnswer): string {
  const text = JSON.stringify(answer.ok ? (answer.result ?? null) : { error: answer.error }).replaceAll('\\u0000', '');
  return text.length <= outputChars ? text : JSON.stringify({ error: 'The result was too large to be read.' });
}

function callEvent(
  { sessionId, requestId }: Turn,
  tool: TurnTool | undefined,
  { id, name, args }: ModelToolCall,
  status: 'isRunning' | 'done' | 'error',
  ending: { output?: string; error?: string },
): Parameters<TurnPorts['emit']>[0] {
  const call = { sessionId, requestId, toolName: name, args: { ...args } };
  if (tool?.kind === 'action') return { event: 'action_call', data: { ...call, toolCallId: id, status, ...ending } };
  const { output } = ending;
  return {
    event: 'tool_call',
    data: {
      ...call,
      status: status === 'isRunning' ? 'isRunning' : 'done',
      eventId: id,
      ...(output === undefined ? {} : { output }),
    },
  };
}
