import { Agent, request } from 'node:http';

/** The parsed part of one stream of server-sent events. */
export interface StreamReading {
  readonly frames: number;
  /** Chunks in which it arrived. */
  readonly pieces: number;
  /** From the request to the first frame. */
  readonly firstFrameMs: number;
  /** Whether the last frame arrived, and the ids of all frames are 1, 2, 3 and so on. */
  readonly isComplete: boolean;
}

/** A connection for each stream, as clients have. */
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
const limitMs = 180_000;

/**
 * Posts a body and reads the events of the reply to their end. Never rejects: a broken stream is not complete.
 *
 * @param options.last a text in the last frame
 * @param options.onFrames called with the count of frames before and after each chunk
 */
export function readStream(
  url: string,
  options: { headers?: Record<string, string>; body: object; last: string; onFrames?: FramesUnderWay['add'] },
): Promise<StreamReading> {
  const { headers = {}, body, last, onFrames } = options;
  return new Promise((resolve) => {
    const sentMs = performance.now();
    const reading = { frames: 0, pieces: 0, firstFrameMs: 0, isComplete: false };
    let isInOrder = true;
    const end = () => resolve(reading);
    const call = request(url, {
      method: 'POST',
      agent,
      signal: AbortSignal.timeout(limitMs),
      headers: { ...headers, 'content-type': 'application/json' },
    });
    call.on('error', end);
    call.on('response', (reply) => {
      let tail = '';
      reply.setEncoding('utf8').on('error', end).on('end', end);
      reply.on('data', (chunk: string) => {
        const parts = (tail + chunk).split('\n\n');
        tail = parts.pop() ?? '';
        const frames = parts.filter((part) => part.startsWith('id: '));
        const before = reading.frames;
        isInOrder &&= frames.every((frame, index) => Number.parseInt(frame.slice(4), 10) === before + index + 1);
        reading.pieces += 1;
        reading.frames += frames.length;
        onFrames?.(before, reading.frames);
        if (before === 0 && reading.frames > 0) reading.firstFrameMs = performance.now() - sentMs;
        if (parts.at(-1)?.includes(last) === true) reading.isComplete = isInOrder;
      });
    });
    call.end(JSON.stringify(body));
  });
}

/** Frames of a stream after which its start is done. */
const startFrames = 3;
const fewestFramesEach = 5;

/**
 * CPU of one more frame while all streams are under way: from when each has its first three frames until the first of them has
 * its last frame but one. The cost of starting and ending streams is excluded.
 */
export class FramesUnderWay {
  readonly #of: { readonly streams: number; readonly framesOfStream: number };
  readonly #cpuUs: () => number;
  #started = 0;
  #frames = 0;
  #from: { cpuUs: number; frames: number } | undefined;
  #to: { cpuUs: number; frames: number } | undefined;

  constructor(of: { readonly streams: number; readonly framesOfStream: number }, cpuUs: () => number) {
    this.#of = of;
    this.#cpuUs = cpuUs;
  }

  readonly add = (before: number, now: number): void => {
    this.#frames += now - before;
    if (before < startFrames && now >= startFrames && ++this.#started === this.#of.streams) this.#from = this.#mark();
    if (now >= this.#of.framesOfStream - 1) this.#to ??= this.#mark();
  };

  /** In µs; undefined if too few frames arrived while all streams were under way. */
  get cpuUs(): number | undefined {
    if (this.#from === undefined || this.#to === undefined) return undefined;
    const frames = this.#to.frames - this.#from.frames;
    return frames < fewestFramesEach * this.#of.streams ? undefined : (this.#to.cpuUs - this.#from.cpuUs) / frames;
  }

  #mark() {
    return { cpuUs: this.#cpuUs(), frames: this.#frames };
  }
}

/** A live stream sends a comment every 15 s. */
const silenceMs = 20_000;

/** An answer of the oracle as its reader has it, over all connections it took. */
export class ResumedAnswer {
  runId: string | undefined;
  lastId = 0;
  text = '';
  status: string | undefined;
  readonly faults: string[] = [];
  #isAstray = false;

  /** Reads events until the stream ends, breaks or is silent. Returns the HTTP status, 0 without a reply. */
  async read(url: string, init: RequestInit): Promise<number> {
    const leave = new AbortController();
    let silence = setTimeout(() => leave.abort(), silenceMs);
    let status = 0;
    this.#isAstray = false;
    try {
      const reply = await fetch(url, { ...init, signal: leave.signal });
      ({ status } = reply);
      if (status !== 200 || reply.body === null) return status;
      let tail = '';
      for await (const piece of reply.body.pipeThrough(new TextDecoderStream())) {
        clearTimeout(silence);
        silence = setTimeout(() => leave.abort(), silenceMs);
        const blocks = (tail + piece).split('\n\n');
        tail = blocks.pop() ?? '';
        for (const block of blocks) {
          this.#take(block);
          if (this.#isAstray) return status;
        }
      }
    } catch {
      // The connection broke: the next one resumes.
    } finally {
      clearTimeout(silence);
      leave.abort();
    }
    return status;
  }

  #take(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
    const [data, event, id] = [field('data'), field('event'), Number(field('id'))];
    if (data === undefined) return;
    const parsed = JSON.parse(data) as Record<string, unknown>;
    if (event === 'run') {
      this.runId = String(parsed['runId']);
      this.lastId = Math.max(this.lastId, id);
      // With another length than the server's the answer is read again from its start.
      const length = parsed['resumed'] === true ? parsed['partialLength'] : undefined;
      this.#isAstray = typeof length === 'number' && length !== this.text.length;
      if (this.#isAstray) [this.text, this.lastId] = ['', 0];
      return;
    }
    if (id <= this.lastId) this.faults.push(`frame ${id} after ${this.lastId}`);
    this.lastId = id;
    if (event === 'message') this.text += String(parsed['content']);
    if (event !== 'done') return;
    this.status = String(parsed['status']);
    if (typeof parsed['partialText'] === 'string' && parsed['partialText'] !== '') this.text = parsed['partialText'];
  }
}
