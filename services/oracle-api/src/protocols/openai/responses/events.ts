import { eventOf } from '../../../http/runs.js';
import type { LoggedEvent, RunFrame } from '../../../runs/log/store.js';
import {
  callItems,
  type KnownAnswer,
  messageItem,
  messageItemId,
  type ResponseHead,
  responseOf,
  textPart,
} from './response.js';

/** An event of this protocol. Sequence numbers increase, and an event has the same number at each reading. */
interface ResponseEvent {
  readonly type: string;
  readonly sequence_number: number;
}

/** Sequence numbers per frame. The last event of a frame has the last number. */
const numbersOfFrame = 256;

/** The frame after which to continue for a reader with the events up to that number; 0 for a reader with a partial frame. */
export function frameBefore(sequenceNumber: number): number {
  const next = sequenceNumber + 1;
  return next % numbersOfFrame === 0 ? next / numbersOfFrame : 0;
}

/**
 * The frames of a run as the events of a response, those above `after`.
 *
 * @param answerOf the answer, once the run has ended
 */
export async function* runEvents(
  frames: AsyncIterable<readonly RunFrame[]>,
  head: ResponseHead,
  answerOf: () => Promise<KnownAnswer>,
  after = -1,
): AsyncGenerator<readonly ResponseEvent[]> {
  const translation = new ResponseEvents(head);
  for await (const batch of frames) {
    const events: ResponseEvent[] = [];
    for (const frame of batch) {
      const event = eventOf(frame);
      const answer = event.event === 'done' ? await answerOf() : undefined;
      const bodies = translation.of(event, answer);
      const base = (frame.id - 1) * numbersOfFrame;
      bodies.forEach((body, at) => {
        const place = at === bodies.length - 1 ? numbersOfFrame - 1 : at;
        events.push({ ...body, sequence_number: base + place });
      });
    }
    const fresh = events.filter((event) => event.sequence_number > after);
    if (fresh.length > 0) yield fresh;
  }
}

export function eventText(event: ResponseEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

interface Body {
  readonly type: string;
}

/** The events of a response, and the state that they depend on. */
class ResponseEvents {
  readonly #head: ResponseHead;
  #hasText = false;
  #failure: KnownAnswer['failure'];

  constructor(head: ResponseHead) {
    this.#head = head;
  }

  of({ event, data }: LoggedEvent, answer: KnownAnswer | undefined): Body[] {
    if (event === 'run') {
      this.#hasText ||= (data.partialLength ?? 0) > 0;
      const response = responseOf(this.#head, undefined);
      if (data.resumed === true) return [];
      return ['response.created', 'response.in_progress'].map((type) => ({ type, response }));
    }
    if (event === 'message') return this.#delta(data.content);
    if (event === 'error') this.#failure = { ...data, detail: data.detail };
    return event === 'done' && answer !== undefined ? this.#end(answer) : [];
  }

  #delta(delta: string): Body[] {
    const deltaEvent = { type: 'response.output_text.delta', ...this.#part(), delta, logprobs: [] };
    if (this.#hasText) return [deltaEvent];
    this.#hasText = true;
    const item = messageItem(this.#head, undefined);
    return [
      { type: 'response.output_item.added', output_index: 0, item } as Body,
      { type: 'response.content_part.added', ...this.#part(), part: textPart('') } as Body,
      deltaEvent,
    ];
  }

  #end(answer: KnownAnswer): Body[] {
    const ended = { ...answer, ...(this.#failure && { failure: this.#failure, status: 'failed' as const }) };
    const text = ended.content;
    const item = messageItem(this.#head, text);
    const message = [
      { type: 'response.output_text.done', ...this.#part(), text, logprobs: [] },
      { type: 'response.content_part.done', ...this.#part(), part: textPart(text) },
      { type: 'response.output_item.done', output_index: 0, item },
    ];
    const first = this.#hasText ? 1 : 0;
    const calls = callItems(this.#head, ended.toolCalls).flatMap((call, at) => callEvents(call, at + first));
    const response = responseOf(this.#head, ended);
    const type = ['completed', 'failed'].includes(response.status)
      ? `response.${response.status}`
      : 'response.incomplete';
    return [...(this.#hasText ? message : []), ...calls, { type, response } as Body];
  }

  #part() {
    return { item_id: messageItemId(this.#head), output_index: 0, content_index: 0 };
  }
}

function callEvents(call: ReturnType<typeof callItems>[number], output_index: number): Body[] {
  const { id: item_id, name } = call;
  const place = { item_id, output_index };
  return [
    {
      type: 'response.output_item.added',
      output_index,
      item: { ...call, status: 'in_progress', arguments: '' },
    } as Body,
    { type: 'response.function_call_arguments.delta', ...place, delta: call.arguments } as Body,
    { type: 'response.function_call_arguments.done', ...place, name, arguments: call.arguments } as Body,
    { type: 'response.output_item.done', output_index, item: call } as Body,
  ];
}
