import { setMaxListeners } from 'node:events';
import type { ModelMessage, ModelRequest } from '../../models/language-model.js';
import type { StoredToolCall } from '../../store/sessions.js';
import { turnLimits } from '../fixed-limits.js';
import type { Prompt } from '../prompt/prompt.js';
import type { Turn } from '../turn.js';
import { addApprovalNotice, executeApprovedCalls } from './approved-calls.js';
import { canonicalJson } from './call-records.js';
import { type LoopParts, requestModelStep } from './model-step.js';
import { CallGuard } from './repeat-guard.js';
import { type ExecutedCall, executeCalls } from './tool-calls.js';

/** Listener count above which a leak is likely. */
const signalListeners = 200;

/** A suspended loop: where it resumes after the approval. */
export interface LoopSuspension {
  /** Messages to and from the model in this turn. */
  readonly messages: readonly ModelMessage[];
  /** Number of model requests. */
  readonly steps: number;
}

/**
 * Requests model steps and executes their tool calls until the model calls no tool. After `TURN_STEPS` steps, a last step without tools
 * is requested. A resumed turn continues with the user's decisions. Rejects when the model fails. Returns early when the turn is stopped,
 * and with the suspension when a call requires approval.
 */
export async function runToolLoop(turn: Turn, prompt: Prompt, parts: LoopParts): Promise<LoopSuspension | undefined> {
  const { draft, signal, resumed } = turn;
  // Each call of a step adds a listener, and tools may add more.
  setMaxListeners(signalListeners, signal);
  const messages = [...(resumed?.state.messages ?? [])];
  const guard = new CallGuard(parts.limits.sameCalls);
  let steps = resumed?.state.steps ?? 0;
  /** Adds the results of calls; true if the turn has to be suspended. */
  const take = async (made: readonly ExecutedCall[]): Promise<boolean> => {
    const shareChars = shareOf(turn, made.length);
    for (const { id, args, output = '', status, isOwn, attachments = [] } of made) {
      if (status === 'waiting') continue;
      const content = `${changedArgumentsNotice(messages, id, args)}${cutTo(shareChars, output)}`;
      const files = await prompt.readFiles(attachments, 'result');
      messages.push({
        role: 'tool',
        toolCallId: id,
        content,
        ...(isOwn === true ? { isOwn } : {}),
        ...(files.length === 0 ? {} : { files }),
      });
    }
    return made.some(({ status }) => status === 'waiting');
  };
  const pause = (made: readonly ExecutedCall[]): LoopSuspension => {
    // The answer of such a turn is only JSON; its user sees the approval request instead.
    if (turn.request.responseSchema === undefined) addApprovalNotice(turn, parts, made);
    // A suspended turn stores JSON without files: they are attachments of the session.
    return { messages: messages.map(({ files: _, ...message }) => message), steps };
  };
  if (resumed !== undefined) {
    const settled = await executeApprovedCalls(turn, prompt.tools(), parts);
    if (await take(settled)) return pause(settled);
  }
  while (!signal.aborted) {
    steps += 1;
    const mayCall = steps <= parts.limits.steps && !guard.isTripped;
    const textChars = draft.content.length;
    const request = requestOf(turn, prompt, parts, [...prompt.messages, ...messages], mayCall);
    const { calls, native } = await requestModelStep(turn, prompt, request, parts);
    if (calls.length === 0 || !mayCall) return undefined;
    const toolCalls = calls.map(({ problem: _, ...call }) => call);
    messages.push({ role: 'assistant', content: draft.content.slice(textChars), toolCalls, ...(native && { native }) });
    const made = await executeCalls(turn, prompt.tools(), parts, calls, guard);
    draft.toolCalls.push(...made.map((call) => ({ ...call, at: draft.content.length })));
    if (await take(made)) return pause(made);
    if (made.some(({ status }) => status === 'handed')) return undefined;
  }
  return undefined;
}

/** Notes for the model that the user changed the arguments of a call. The original message is signed and stays unchanged. */
function changedArgumentsNotice(
  messages: readonly ModelMessage[],
  callId: string,
  made: StoredToolCall['args'],
): string {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  const modelCall = calls.find(({ id }) => id === callId);
  if (modelCall === undefined || canonicalJson(modelCall.args) === canonicalJson(made)) return '';
  return `The user changed the arguments to ${JSON.stringify(made)} and allowed the call. Result: `;
}

function requestOf(
  { request: { timezone, ownerDid, address, responseSchema, callRules } }: Turn,
  { instructions, notes, preferences, tools }: Prompt,
  { oracleName, now }: LoopParts,
  messages: readonly ModelMessage[],
  mayCall: boolean,
): ModelRequest {
  // Model APIs refuse a conversation with calls of undeclared tools.
  const offered = tools().map(({ definition }) => definition);
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

/** Characters of one result for the model, so that all results of a step fit. */
function shareOf({ request: { model } }: Turn, results: number): number {
  const { contextTokens = Number.POSITIVE_INFINITY } = model;
  return Math.floor((contextTokens * turnLimits.resultsShare * 3) / results);
}

function cutTo(chars: number, output: string): string {
  return output.length <= chars ? output : `${output.slice(0, chars)}… (cut: too long)`;
}
