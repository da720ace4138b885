import { setMaxListeners } from 'node:events';
import type { ModelMessage, ModelRequest } from '../../models/language-model.js';
import type { StoredToolCall } from '../../store/sessions.js';
import { turnLimits } from '../limits.js';
import type { Prompt } from '../prompt/prompt.js';
import type { Turn } from '../turn-state.js';
import { addApprovalNotice, executeApprovedCalls } from './approved-calls.js';
import { CallGuard } from './call-guard.js';
import { canonicalJson } from './call-records.js';
import { type LoopParts, requestModelStep } from './model-step.js';
import { type ExecutedCall, executeCalls } from './tool-calls.js';

/** Listeners of a turn's signal above which something leaks. */
const signalListeners = 200;

/** A loop that waits for the user, who has to allow a call: where it goes on. */
export interface LoopSuspension {
  /** What the model has said and been told in this turn. */
  readonly messages: readonly ModelMessage[];
  /** How often it was asked. */
  readonly steps: number;
}

/**
 * Asks the model, and again with what its tools gave back, until it calls none, or has been asked `TURN_STEPS` times when it
 * might call; then it is asked for words. A turn that has waited goes on with what its user said. Rejects when the model fails; ends early when the
 * turn is stopped, and with a pause when a call has to be allowed first.
 */
export async function runToolLoop(turn: Turn, prompt: Prompt, parts: LoopParts): Promise<LoopSuspension | undefined> {
  const { draft, signal, resumed } = turn;
  // Each call of a step listens to it, and what a tool does may listen as well.
  setMaxListeners(signalListeners, signal);
  const messages = [...(resumed?.state.messages ?? [])];
  const guard = new CallGuard(parts.limits.sameCalls);
  let steps = resumed?.state.steps ?? 0;
  /** Takes what came of calls; true where the turn has to wait. */
  const take = async (made: readonly ExecutedCall[]): Promise<boolean> => {
    const shareChars = shareOf(turn, made.length);
    for (const { id, args, output = '', status, isOwn, attachments = [] } of made) {
      if (status === 'waiting') continue;
      const content = `${changedArgumentsNotice(messages, id, args)}${cutTo(shareChars, output)}`;
      const files = await prompt.readFiles(attachments, 'result');
      messages.push({
        ...{ role: 'tool', toolCallId: id, content },
        ...(isOwn === true ? { isOwn } : {}),
        ...(files.length === 0 ? {} : { files }),
      });
    }
    return made.some(({ status }) => status === 'waiting');
  };
  const pause = (made: readonly ExecutedCall[]): LoopSuspension => {
    // The answer of such a turn is JSON alone; its user reads the request for approval.
    if (turn.request.responseSchema === undefined) addApprovalNotice(turn, parts, made);
    // What a suspended turn stores is JSON: the files are attachments of the session.
    return { messages: messages.map(({ files: _, ...message }) => message), steps };
  };
  if (resumed !== undefined) {
    const settled = await executeApprovedCalls(turn, prompt.tools(), parts);
    if (await take(settled)) return pause(settled);
  }
  while (!signal.aborted) {
    steps += 1;
    const mayCall = steps <= parts.limits.steps && !guard.isTripped;
    const said = draft.content.length;
    const request = requestOf(turn, prompt, parts, [...prompt.messages, ...messages], mayCall);
    const { calls, native } = await requestModelStep(turn, prompt, request, parts);
    if (calls.length === 0 || !mayCall) return undefined;
    const toolCalls = calls.map(({ problem: _, ...call }) => call);
    messages.push({ role: 'assistant', content: draft.content.slice(said), toolCalls, ...(native && { native }) });
    const made = await executeCalls(turn, prompt.tools(), parts, calls, guard);
    draft.toolCalls.push(...made.map((call) => ({ ...call, at: draft.content.length })));
    if (await take(made)) return pause(made);
    if (made.some(({ status }) => status === 'handed')) return undefined;
  }
  return undefined;
}

/** Says to the model that a call was made with other arguments than its own: the user has changed them. Its own words stay as it signed them. */
function changedArgumentsNotice(
  messages: readonly ModelMessage[],
  callId: string,
  made: StoredToolCall['args'],
): string {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  const asked = calls.find(({ id }) => id === callId);
  if (asked === undefined || canonicalJson(asked.args) === canonicalJson(made)) return '';
  return `The user changed the arguments to ${JSON.stringify(made)} and allowed that. What came of it: `;
}

function requestOf(
  { request: { timezone, ownerDid, address, responseSchema, callRules } }: Turn,
  { instructions, notes, preferences, tools }: Prompt,
  { oracleName, now }: LoopParts,
  messages: readonly ModelMessage[],
  mayCall: boolean,
): ModelRequest {
  // Endpoints refuse calls in a conversation whose tools are not declared.
  const offered = tools().map(({ definition: told }) => told);
  return {
    instructions,
    notes,
    preferences,
    timezone,
    messages,
    oracleName,
    userId: ownerDid,
    address,
    now: now(),
    ...(responseSchema && { responseSchema }),
    ...(offered.length === 0 ? {} : { tools: offered, ...(mayCall ? {} : { mayCall }) }),
    ...(callRules?.choice && { toolChoice: callRules.choice }),
    ...(callRules?.isSingle === true && { parallelCalls: false }),
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
