/** One event of a stream, as it was sent. */
export interface Frame {
  readonly id: number;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Whole frames in a text, and what is left of it behind them. Comments are none. */
export function framesIn(text: string): { readonly frames: readonly Frame[]; readonly rest: string } {
  const blocks = text.split('\n\n');
  const rest = blocks.pop() ?? '';
  const frames = blocks.flatMap((block) => {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    const data = fields.get('data');
    if (data === undefined) return [];
    const parsed = JSON.parse(data) as Frame['data'];
    return [{ id: Number(fields.get('id')), event: fields.get('event') ?? 'message', data: parsed }];
  });
  return { frames, rest };
}

/** An answer as its reader has it, over however many connections it came. */
export class AnswerReading {
  runId: string | undefined;
  lastId = 0;
  text = '';
  status: string | undefined;
  /** How often the server said that the reader's text is not what it should be, and it was read from the first letter. */
  restarts = 0;
  /** What a server must never do: an id that comes twice or goes back. */
  readonly faults: string[] = [];

  /** What is to be done next: go on, or begin again from the first letter. */
  take(frames: readonly Frame[]): 'goes on' | 'begins again' {
    for (const frame of frames) {
      if (this.status !== undefined) this.faults.push(`${frame.event} after done`);
      if (this.#takeOne(frame) === 'begins again') return 'begins again';
    }
    return 'goes on';
  }

  #takeOne({ id, event, data }: Frame): 'goes on' | 'begins again' {
    if (event === 'run') {
      if (typeof data['runId'] === 'string') this.runId = data['runId'];
      this.lastId = Math.max(this.lastId, id);
      const { partialLength } = data;
      if (data['resumed'] !== true || typeof partialLength !== 'number' || partialLength === this.text.length)
        return 'goes on';
      this.restarts += 1;
      this.lastId = 0;
      this.text = '';
      return 'begins again';
    }
    if (id <= this.lastId) this.faults.push(`frame ${id} after ${this.lastId}`);
    this.lastId = id;
    if (event === 'message') this.text += String(data['content']);
    if (event === 'done') {
      this.status = String(data['status']);
      if (typeof data['partialText'] === 'string' && data['partialText'] !== '') this.text = data['partialText'];
    }
    return 'goes on';
  }
}
