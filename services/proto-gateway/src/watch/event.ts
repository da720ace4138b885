/** An event: the answer at a block, its failure, a block, or the state of the subscription. */
export type EventKind = 'answer' | 'block' | 'failed' | 'status';

/** One event, written once for all watchers. */
export class EventFrame {
  readonly kind: EventKind;
  /** The block of the event; none for a state. */
  readonly height: number | undefined;
  /** JSON. */
  readonly data: string;
  #sse: Buffer | undefined;
  #rest: string | undefined;

  constructor(kind: EventKind, height: number | undefined, data: string) {
    this.kind = kind;
    this.height = height;
    this.data = data;
  }

  /** As a server-sent event. Answers and blocks have no name, so that `onmessage` receives them. Source: HTML, 9.2. */
  get sse(): Buffer {
    this.#sse ??= Buffer.from(
      `${this.kind === 'answer' || this.kind === 'block' ? '' : `event: ${this.kind}\n`}${
        this.height === undefined ? '' : `id: ${this.height}\n`
      }${this.data.replace(/^/gm, 'data: ')}\n\n`,
    );
    return this.#sse;
  }

  /** The members of a JSON object, for a socket, which prefixes the id. */
  get jsonFields(): string {
    this.#rest ??= `"event":"${this.kind}"${this.height === undefined ? '' : `,"height":"${this.height}"`},"data":${this.data}`;
    return this.#rest;
  }
}

/** The state of a subscription: `live`, `late` while its query fails, the last while no node is available. */
export function statusFrame(state: 'live' | 'late' | 'away'): EventFrame {
  return new EventFrame('status', undefined, `{"state":"${state}"}`);
}
