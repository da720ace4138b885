import type { StoredToolCall } from '../../store/conversation-store.js';
import type { Turn } from '../lifecycle/turn.js';
import type { TurnEvent, TurnEvents } from '../lifecycle/turn-events.js';
import { turnLimits } from '../turn-limits.js';
import type { AskedCall } from './ask-model.js';
import type { FrontendAnswer } from './frontend-calls.js';
import { cutShort } from './open-tools.js';
import type { TurnTool } from './turn-tool.js';

export interface ToolCallParts {
  readonly turn: Turn;
  readonly events: Pick<TurnEvents, 'tell' | 'room'>;
  /** Undefined when there is none of that name. */
  readonly tool: TurnTool | undefined;
  readonly call: AskedCall;
  /** Why the call is not made. */
  readonly refusal: string | undefined;
  /** Told when the arguments did not fit. */
  readonly onBadCall: () => void;
}

/**
 * Calls a tool for the model and tells of its beginning and its end. Never rejects: a failure is an output that the model
 * can explain. A call that the end of the turn overtakes is left behind.
 */
export async function callTool(parts: ToolCallParts): Promise<StoredToolCall & { output: string }> {
  const { events, tool, call, onBadCall } = parts;
  events.tell(callEvent(parts, 'isRunning', {}));
  await events.room();
  const answer = await answerOf(parts);
  if (!answer.ok && answer.isBadCall === true) onBadCall();
  const output = outputOf(answer);
  const status = answer.ok ? 'done' : 'error';
  events.tell(callEvent(parts, status, answer.ok ? { output } : { output, error: answer.error }));
  await events.room();
  const { id, name, args } = call;
  const kind = tool?.kind === 'action' ? { kind: 'action' as const } : {};
  return { id, name, ...kind, args, status, output };
}

async function answerOf({ turn: { signal }, tool, call, refusal }: ToolCallParts): Promise<FrontendAnswer> {
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

/** At most `turnLimits.outputChars` (65,536). */
function outputOf(answer: FrontendAnswer): string {
  const text = JSON.stringify(answer.ok ? (answer.result ?? null) : { error: answer.error }).replaceAll('\\u0000', '');
  return text.length <= turnLimits.outputChars
    ? text
    : JSON.stringify({ error: 'The result was too large to be read.' });
}

function callEvent(
  { turn: { run }, tool, call: { id, name, args } }: ToolCallParts,
  status: 'isRunning' | 'done' | 'error',
  ending: { output?: string; error?: string },
): TurnEvent {
  const { sessionId, requestId } = run;
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
