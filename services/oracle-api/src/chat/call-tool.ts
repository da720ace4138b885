import type { ModelToolCall } from '../models/language-model.js';
import type { StoredToolCall } from '../store/conversation-store.js';
import type { FrontendAnswer } from './frontend-calls.js';
import { cutShort } from './open-tools.js';
import type { Turn, TurnPorts } from './turn.js';
import type { TurnTool } from './turn-tool.js';

/** Characters of JSON that a tool may give back. */
const outputChars = 65_536;

/**
 * Calls a tool for the model and tells of its beginning and its end. Never rejects: a failure is an output that the model
 * can explain. A call that the end of the turn overtakes is left behind.
 */
export async function callTool(
  turn: Turn,
  ports: TurnPorts,
  call: ModelToolCall,
  signal: AbortSignal,
): Promise<StoredToolCall & { output: string }> {
  const tool = turn.tools?.find(({ name }) => name === call.name);
  await ports.emit(callEvent(turn, tool, call, 'isRunning', {}));
  const answer = await answerOf(tool, call, signal);
  const output = outputOf(answer);
  const ending = answer.ok ? { output } : { output, error: answer.error };
  await ports.emit(callEvent(turn, tool, call, answer.ok ? 'done' : 'error', ending));
  return { ...call, status: answer.ok ? 'done' : 'error', output };
}

async function answerOf(
  tool: TurnTool | undefined,
  { id, name, args }: ModelToolCall,
  signal: AbortSignal,
): Promise<FrontendAnswer> {
  if (tool === undefined) return { ok: false, error: `There is no tool called ${name}.` };
  if (signal.aborted) return { ok: false, error: cutShort };
  return new Promise((resolve) => {
    const onAbort = () => resolve({ ok: false, error: cutShort });
    signal.addEventListener('abort', onAbort, { once: true });
    void tool
      .call(args, { toolCallId: id, signal })
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
