import { setMaxListeners } from 'node:events';
import type { ModelMessage, ModelRequest } from '../../models/language-model.js';
import type { Prompt } from '../context/prepare-turn.js';
import type { Turn } from '../lifecycle/turn.js';
import { turnLimits } from '../turn-limits.js';
import { type AskedCall, askModel, type LoopParts } from './ask-model.js';
import { CallGuard } from './call-guard.js';
import { callTool } from './call-tool.js';
import type { TurnTool } from './turn-tool.js';

/** Listeners of a turn's signal above which something leaks. */
const signalListeners = 200;

/**
 * Asks the model, and again with what its tools gave back, until it calls none, or has been asked `turnLimits.steps` times (8)
 * with tools at hand. Rejects when the model fails; ends early when the turn is stopped.
 */
export async function loopTools(turn: Turn, prompt: Prompt, parts: LoopParts): Promise<void> {
  const { draft, signal } = turn;
  // Each call of a step listens to it, and what a tool does may listen as well.
  setMaxListeners(signalListeners, signal);
  const messages = [...prompt.messages];
  const guard = new CallGuard();
  for (let step = 1; !signal.aborted; step++) {
    const hasTools = step <= turnLimits.steps && !guard.isTripped;
    const said = draft.content.length;
    const calls = await askModel(turn, prompt, requestOf(turn, prompt, parts, messages, hasTools), parts);
    if (calls.length === 0 || !hasTools) return;
    const toolCalls = calls.map(({ id, name, args }) => ({ id, name, args }));
    messages.push({ role: 'assistant', content: draft.content.slice(said), toolCalls });
    messages.push(...(await callAll(turn, prompt, parts, calls, guard)));
  }
}

/** Makes the calls of one step, all at once; the results are in the order of the calls. */
async function callAll(
  turn: Turn,
  prompt: Prompt,
  parts: LoopParts,
  calls: readonly AskedCall[],
  guard: CallGuard,
): Promise<ModelMessage[]> {
  const tools = prompt.tools();
  const asked = calls.map((call, place) => ({
    call,
    tool: tools.find(({ name }) => name === call.name),
    refusal: guard.refusal(call, place),
  }));
  const unrecorded = await recordAll(turn, parts, asked);
  const called = await Promise.all(
    asked.map(({ refusal = unrecorded, ...each }) =>
      callTool({ ...parts, turn, ...each, refusal, onBadCall: () => guard.countBad(each.call) }),
    ),
  );
  turn.draft.toolCalls.push(...called);
  const shareChars = shareOf(turn, called.length);
  return called.map(({ id, output }) => ({ role: 'tool', toolCallId: id, content: cutTo(shareChars, output) }));
}

interface Asked {
  readonly call: AskedCall;
  readonly tool: TurnTool | undefined;
  readonly refusal: string | undefined;
}

/** Writes down what is about to be called. Why nothing is called where that cannot be done; undefined where it was. */
async function recordAll(
  { run }: Turn,
  { calls, log }: LoopParts,
  asked: readonly Asked[],
): Promise<string | undefined> {
  const made = asked.flatMap(({ call: { id, name, args, problem }, tool, refusal }) =>
    tool === undefined || refusal !== undefined || problem !== undefined
      ? []
      : [{ id, name, args, plugin: tool.plugin, ...(tool.kind === 'action' ? { kind: tool.kind } : {}) }],
  );
  try {
    await calls.begin(run, made);
    return undefined;
  } catch (err) {
    log.error({ err, runId: run.runId }, 'calls of tools not recorded, so not made');
    return 'Not called: it could not be written down first. Nothing has happened.';
  }
}

function requestOf(
  { request: { timezone, ownerDid } }: Turn,
  { instructions, preferences, tools }: Prompt,
  { oracleName, now }: LoopParts,
  messages: readonly ModelMessage[],
  hasTools: boolean,
): ModelRequest {
  const offered = hasTools ? tools().map(({ name, description, schema }) => ({ name, description, schema })) : [];
  return {
    instructions,
    preferences,
    timezone,
    messages,
    oracleName,
    userId: ownerDid,
    now: now(),
    ...(offered.length === 0 ? {} : { tools: offered }),
  };
}

/** Characters that the model is shown of a result, so that the results of one step leave room for the others. */
function shareOf({ request: { model } }: Turn, results: number): number {
  const { contextTokens = Number.POSITIVE_INFINITY } = model;
  return Math.floor((contextTokens * turnLimits.resultsShare * 3) / results);
}

function cutTo(chars: number, output: string): string {
  return output.length <= chars ? output : `${output.slice(0, chars)}… (cut: too long)`;
}
