import { setMaxListeners } from 'node:events';
import type { LanguageModel, ModelMessage, ModelRequest } from '../../models/language-model.js';
import { ModelError } from '../../models/model-error.js';
import type { PreparedTurn, Turn, TurnOutcome, TurnPorts } from '../lifecycle/turn.js';
import { turnEnding, turnFailed } from '../lifecycle/turn-ending.js';
import { type AskedCall, askModel } from './ask-model.js';
import { CallGuard } from './call-guard.js';
import { callTool } from './call-tool.js';
import { type Draft, emptyDraft, partsOf } from './draft.js';

/** How often the model is asked with tools at hand. After that it has to answer with what it has. */
const stepLimit = 8;

/** Of a model's window: what the results of one step may take. */
const resultsShare = 0.1;

/** Listeners of a turn's signal above which something leaks. */
const signalListeners = 200;

export type Answer = Omit<TurnOutcome, 'messageId'>;

/**
 * Streams the model's answer to those who follow the run, and calls the tools it asks for, until it ends, fails or is
 * stopped. Never rejects.
 */
export async function readAnswer(turn: Turn, ports: TurnPorts, signal: AbortSignal): Promise<Answer> {
  const draft = emptyDraft();
  let prepared: PreparedTurn | undefined;
  try {
    if (signal.aborted) return { content: '', ...turnEnding('', signal) };
    prepared = await prepare(turn);
    await converse(turn, ports, prepared, draft, signal);
  } catch (cause) {
    if (!signal.aborted) return { ...partsOf(draft), ...turnFailed(cause) };
  } finally {
    prepared?.close();
  }
  return { ...partsOf(draft), ...turnEnding(draft.content, signal) };
}

async function prepare(turn: Turn): Promise<PreparedTurn> {
  try {
    return await turn.prepare();
  } catch (cause) {
    throw new ModelError('server', 'The conversation could not be read.', { retryable: true, cause });
  }
}

/** Asks the model, and again with what its tools gave back, until it calls none. */
async function converse(
  turn: Turn,
  ports: TurnPorts,
  prepared: PreparedTurn,
  draft: Draft,
  signal: AbortSignal,
): Promise<void> {
  // Each call of a step listens to it, and what a tool does may listen as well.
  setMaxListeners(signalListeners, signal);
  const messages = [...prepared.messages];
  const guard = new CallGuard();
  for (let step = 1; !signal.aborted; step++) {
    const hasTools = step <= stepLimit && !guard.isTripped;
    const said = draft.content.length;
    const request = requestOf(turn, ports, prepared, messages, hasTools);
    const calls = await askModel(turn, ports, prepared, request, draft, signal);
    if (calls.length === 0 || !hasTools) return;
    messages.push({ role: 'assistant', content: draft.content.slice(said), toolCalls: calls.map(withoutProblem) });
    messages.push(...(await callAll(turn, ports, prepared, calls, guard, draft, signal)));
  }
}

/** Makes the calls of one step, all at once; the results are in the order of the calls. */
async function callAll(
  turn: Turn,
  ports: TurnPorts,
  prepared: PreparedTurn,
  calls: readonly AskedCall[],
  guard: CallGuard,
  draft: Draft,
  signal: AbortSignal,
): Promise<ModelMessage[]> {
  const tools = prepared.tools();
  const asked = calls.map((call, place) => ({ call, refusal: guard.refusal(call, place) }));
  const called = await Promise.all(
    asked.map(({ call, refusal }) => {
      const tool = tools.find(({ name }) => name === call.name);
      return callTool({ turn, ports, tool, call, refusal, signal, onBadCall: () => guard.countBad(call) });
    }),
  );
  draft.toolCalls.push(...called);
  const share = shareOf(prepared.model, called.length);
  return called.map(({ id, output }) => ({ role: 'tool', toolCallId: id, content: cutTo(share, output) }));
}

function requestOf(
  { timezone, ownerDid }: Turn,
  ports: TurnPorts,
  prepared: PreparedTurn,
  messages: readonly ModelMessage[],
  hasTools: boolean,
): ModelRequest {
  const { instructions, preferences } = prepared;
  const offered = hasTools
    ? prepared.tools().map(({ name, description, schema }) => ({ name, description, schema }))
    : [];
  return {
    messages,
    oracleName: ports.oracleName,
    userId: ownerDid,
    now: ports.now(),
    ...(instructions === undefined ? {} : { instructions }),
    ...(preferences === undefined ? {} : { preferences }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(offered.length === 0 ? {} : { tools: offered }),
  };
}

/** Characters that the model is shown of a result, so that the results of one step leave room for the others. */
function shareOf({ contextTokens }: LanguageModel, results: number): number {
  return contextTokens === undefined
    ? Number.POSITIVE_INFINITY
    : Math.floor((contextTokens * resultsShare * 3) / results);
}

function cutTo(chars: number, output: string): string {
  return output.length <= chars ? output : `${output.slice(0, chars)}… (cut: too long)`;
}

function withoutProblem({ id, name, args }: AskedCall) {
  return { id, name, args };
}
