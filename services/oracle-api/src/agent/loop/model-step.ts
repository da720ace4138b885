import { isOfAnswer } from '../../models/fallback.js';
import type {
  LanguageModel,
  ModelPart,
  ModelRequest,
  ModelToolCall,
  ModelUsage,
  NativeMessage,
  NewToolCall,
} from '../../models/language-model.js';
import { untrustedSchema } from '../../models/tool-schemas/untrusted-schema.js';
import { checkedUsage } from '../../models/usage.js';
import { wrapModel } from '../../models/wrap-model.js';
import type { TurnsDeps } from '../deps.js';
import { turnLimits } from '../fixed-limits.js';
import type { PluggedTurn } from '../prompt/turn-plugins.js';
import type { StepSeen } from '../telemetry.js';
import type { Draft, Turn } from '../turn.js';
import type { TurnEvents } from '../turn-events.js';
import { addUsage, estimatedUsage } from '../usage.js';
import { answerObject, answerWithCall } from './answer-form.js';
import type { CallRecords } from './sql-call-records.js';

/** Dependencies of the tool loop of a turn. */
export interface LoopParts extends Pick<TurnsDeps, 'oracleName' | 'now' | 'newId' | 'telemetry'> {
  readonly events: Pick<TurnEvents, 'publish' | 'isFull' | 'room'>;
  readonly calls: CallRecords;
  readonly limits: Pick<TurnsDeps['limits'], 'steps' | 'sameCalls'>;
  /** Timeout of an approval, in ms. */
  readonly approvalMs: number;
  readonly log: TurnsDeps['log'];
}

/** A call as the model made it. */
export interface RequestedCall extends ModelToolCall {
  /** Why its arguments could not be read. */
  readonly problem?: string;
}

/** Result of one step: the calls of the model, and its message in the provider's format. */
export interface ModelStep {
  readonly calls: readonly RequestedCall[];
  readonly native?: NativeMessage | undefined;
}

/** Requests one model step and publishes its output as events of the run. */
export function requestModelStep(
  turn: Turn,
  { around }: Pick<PluggedTurn, 'around'>,
  request: ModelRequest,
  parts: LoopParts,
): Promise<ModelStep> {
  return parts.telemetry.step(turn, request, (seen) => hear(turn, around, request, parts, seen));
}

async function hear(
  turn: Turn,
  around: PluggedTurn['around'],
  request: ModelRequest,
  parts: LoopParts,
  seen: StepSeen,
): Promise<ModelStep> {
  const { draft, signal } = turn;
  const { events } = parts;
  const step = new Step(turn, parts);
  const { model: requestedModel } = turn.request;
  let hasRequested = false;
  const noted: LanguageModel = {
    ...requestedModel,
    stream: (...args) => {
      hasRequested = true;
      return requestedModel.stream(...args);
    },
  };
  const model = wrapModel(inForm(noted, request), { cutOffAtAbort: true, plugins: around });
  let hasFailed = true;
  draft.isCut = false;
  draft.answeredBy = requestedModel.id;
  try {
    for await (const part of model.stream(request, signal)) {
      step.take(part, seen);
      if (events.isFull) await events.room();
      if (draft.content.length >= turnLimits.answerChars) {
        draft.isCut = true;
        break;
      }
    }
    step.endThought();
    hasFailed = false;
    return { calls: step.calls, native: step.native };
  } finally {
    const output = step.written();
    // A refused request, or one that was never sent, is free.
    const isFree = step.usage === undefined && output === '' && (hasFailed || !hasRequested);
    if (!isFree) {
      const usage = step.usage ?? estimatedUsage(request, output);
      draft.usage = addUsage(draft.usage, usage);
      seen.end({ usage, isCut: draft.isCut, text: step.words(), calls: step.calls });
    }
  }
}

/** Adapts a model to the answer format that its client requires. A required call has priority: it ends the turn. */
function inForm(model: LanguageModel, { toolChoice, responseSchema }: ModelRequest): LanguageModel {
  if (toolChoice !== undefined) return answerWithCall(model, toolChoice);
  return responseSchema === undefined ? model : answerObject(model, untrustedSchema(responseSchema));
}

/** Output of the model in one step. */
class Step {
  readonly calls: RequestedCall[] = [];
  usage: Draft['usage'] | undefined;
  native: NativeMessage | undefined;
  readonly #turn: Turn;
  readonly #parts: LoopParts;
  readonly #before: { readonly content: number; readonly reasoning: number };

  constructor(turn: Turn, parts: LoopParts) {
    const { content, reasoning } = turn.draft;
    this.#turn = turn;
    this.#parts = parts;
    this.#before = { content: content.length, reasoning: reasoning.length };
  }

  words(): string {
    return this.#turn.draft.content.slice(this.#before.content);
  }

  /** All output of this step, for token estimates. */
  written(): string {
    const { reasoning } = this.#turn.draft;
    const calls = this.calls.map(({ name, args }) => name + JSON.stringify(args));
    return [this.words(), reasoning.slice(this.#before.reasoning), ...calls].join('');
  }

  take(part: ModelPart, seen: Pick<StepSeen, 'part' | 'answering'>): void {
    const { draft, request } = this.#turn;
    if (isOfAnswer(part)) seen.part();
    if (part.type === 'text') this.appendText(part.delta);
    else if (part.type === 'reasoning') this.think(part.delta);
    else if (part.type === 'tool_call') this.call(part);
    else if (part.type === 'native') this.native = part.native;
    else if (part.type === 'cut') draft.isCut = true;
    else if (part.type === 'usage') this.#count(checkedUsage(part.usage, request.model));
    else if (part.type === 'answering') {
      draft.answeredBy = part.modelId;
      seen.answering(part);
    }
  }

  #count(usage: ModelUsage | undefined): void {
    if (usage !== undefined) this.usage = { ...usage, isEstimated: false };
  }

  /** At most `turnLimits.readCallsOfStep` (32), with `turnLimits.argsChars` (65,536) each. */
  call({ call, problem }: { call: NewToolCall; problem?: string }): void {
    if (this.calls.length >= turnLimits.readCallsOfStep) return;
    // The model's own ids may repeat from step to step.
    const id = this.#parts.newId();
    if (JSON.stringify(call.args).length > turnLimits.argsChars) {
      this.calls.push({ ...call, id, args: {}, problem: 'The arguments are too long.' });
    } else this.calls.push({ ...call, id, ...(problem === undefined ? {} : { problem }) });
  }

  appendText(text: string): void {
    const content = this.#add('content', text);
    if (content === '') return;
    this.#parts.events.publish({ event: 'message', data: { content, timestamp: this.#timestamp() } });
  }

  think(text: string): void {
    const reasoning = this.#add('reasoning', text);
    if (reasoning !== '') this.#reportThought(reasoning, false);
  }

  endThought(): void {
    if (this.#turn.draft.reasoning.length > this.#before.reasoning) this.#reportThought('', true);
  }

  /** Adds text to the draft and returns the delta. The first text of a later step starts a new paragraph. */
  #add(field: 'content' | 'reasoning', text: string): string {
    if (text === '') return '';
    const { draft } = this.#turn;
    const written = draft[field];
    const isNewStep = written !== '' && written.length === this.#before[field] && !/\s$/.test(written);
    // Postgres cannot store NUL characters.
    const whole = (isNewStep ? `\n\n${text}` : text).replaceAll('\u0000', '');
    const delta = whole.slice(0, turnLimits.answerChars - written.length);
    draft[field] += delta;
    return delta;
  }

  #reportThought(reasoning: string, isComplete: boolean): void {
    const { sessionId, requestId } = this.#turn.run;
    const data = { sessionId, requestId, reasoning, isComplete, timestamp: this.#timestamp() };
    this.#parts.events.publish({ event: 'reasoning', data });
  }

  #timestamp(): string {
    return this.#parts.now().toISOString();
  }
}
