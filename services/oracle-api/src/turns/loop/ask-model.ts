import type { ModelRequest, ModelToolCall } from '../../models/language-model.js';
import { untilAborted } from '../../models/until-aborted.js';
import { addUsage, estimatedUsage } from '../after/turn-usage.js';
import type { PreparedTurn, Turn, TurnPorts } from '../lifecycle/turn.js';
import type { Draft } from './draft.js';

/** Characters after which a model is no longer listened to. */
const answerChars = 200_000;

/** Calls of one step beyond these are not listened to. */
const stepCalls = 32;

/** Characters of JSON that the arguments of a call may have. */
const argsChars = 65_536;

/** A call as the model made it. */
export interface AskedCall extends ModelToolCall {
  /** Why its arguments could not be read. */
  readonly problem?: string;
}

/** Asks the model once, tells those who follow the run what it says, and gives back the calls it made. */
export async function askModel(
  turn: Turn,
  ports: TurnPorts,
  { model }: PreparedTurn,
  request: ModelRequest,
  draft: Draft,
  signal: AbortSignal,
): Promise<AskedCall[]> {
  const step = new Step(turn, ports, draft);
  let hasFailed = true;
  try {
    for await (const part of untilAborted(model.stream(request, signal), signal)) {
      if (part.type === 'tool_call') step.call(part);
      else if (part.type === 'usage') step.usage = { ...part.usage, isEstimated: false };
      else if (part.type === 'reasoning') await step.think(part.delta);
      else {
        // Most is told at once, and a promise for each word is felt.
        const told = step.say(part.delta);
        if (told !== undefined) await told;
      }
      if (draft.content.length >= answerChars) break;
    }
    await step.endThought();
    hasFailed = false;
    return step.calls;
  } finally {
    const said = step.written();
    // A model that refused took nothing.
    const isFree = hasFailed && said === '';
    if (!isFree) draft.usage = addUsage(draft.usage, step.usage ?? estimatedUsage(request, said));
  }
}

/** What a model says in one step. */
class Step {
  readonly calls: AskedCall[] = [];
  usage: Draft['usage'] | undefined;
  readonly #turn: Turn;
  readonly #ports: TurnPorts;
  readonly #draft: Draft;
  readonly #before: { readonly content: number; readonly reasoning: number };

  constructor(turn: Turn, ports: TurnPorts, draft: Draft) {
    this.#turn = turn;
    this.#ports = ports;
    this.#draft = draft;
    this.#before = { content: draft.content.length, reasoning: draft.reasoning.length };
  }

  /** Everything of this step, for whoever has to count it. */
  written(): string {
    const { content, reasoning } = this.#draft;
    const calls = this.calls.map(({ name, args }) => name + JSON.stringify(args));
    return [content.slice(this.#before.content), reasoning.slice(this.#before.reasoning), ...calls].join('');
  }

  call({ call, problem }: { call: Omit<ModelToolCall, 'id'>; problem?: string }): void {
    if (this.calls.length >= stepCalls) return;
    // The model's own ids may repeat from step to step.
    const id = this.#ports.newId();
    if (JSON.stringify(call.args).length > argsChars) {
      this.calls.push({ id, name: call.name, args: {}, problem: 'The arguments are too long.' });
    } else this.calls.push({ ...call, id, ...(problem === undefined ? {} : { problem }) });
  }

  say(text: string): Promise<void> | undefined {
    const { content } = this.#draft;
    const delta = bounded(apart(text, content, this.#before.content), content.length);
    if (delta === '' || text === '') return undefined;
    this.#draft.content += delta;
    return this.#ports.emit({ event: 'message', data: { content: delta, timestamp: this.#ports.now().toISOString() } });
  }

  async think(text: string): Promise<void> {
    const { reasoning } = this.#draft;
    const delta = bounded(apart(text, reasoning, this.#before.reasoning), reasoning.length);
    if (delta === '' || text === '') return;
    this.#draft.reasoning += delta;
    await this.#tellThought(delta, false);
  }

  async endThought(): Promise<void> {
    if (this.#draft.reasoning.length > this.#before.reasoning) await this.#tellThought('', true);
  }

  async #tellThought(reasoning: string, isComplete: boolean): Promise<void> {
    const { sessionId, requestId } = this.#turn;
    const timestamp = this.#ports.now().toISOString();
    await this.#ports.emit({ event: 'reasoning', data: { sessionId, requestId, reasoning, isComplete, timestamp } });
  }
}

/** What a step begins with stands apart from what the steps before it have written. */
function apart(text: string, written: string, lengthBefore: number): string {
  const isNewStep = written.length === lengthBefore && written !== '';
  return isNewStep && !/\s$/.test(written) ? `\n\n${text}` : text;
}

/** NUL is the one character that the database cannot keep. */
function bounded(text: string, length: number): string {
  return text.replaceAll('\u0000', '').slice(0, answerChars - length);
}
