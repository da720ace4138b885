import { createParser } from 'eventsource-parser';

/** One server-sent event, as it was sent. */
export interface StreamFrame {
  /** Increases within a stream; undefined if the server sends none. */
  readonly id: number | undefined;
  readonly event: string;
  readonly data: string;
}

export interface ReadFramesOptions {
  /** A stream that is silent for so long, without even a heartbeat, is taken for cut. Undefined: silence is fine. */
  readonly silenceMs: number | undefined;
  /** Ends the stream and closes the connection. */
  readonly signal?: AbortSignal | undefined;
}

/** Characters of one frame at most. A whole answer may be in one. */
const frameChars = 8_388_608;
/** How long an abandoned stream may take to end. */
const endMs = 1_000;

/**
 * The frames of a stream of server-sent events, as they arrive: those of one network chunk together. An incomplete frame is
 * dropped. Ends with the stream; rejects when the connection breaks or a frame is too large.
 */
export async function* readFrames(
  body: ReadableStream<Uint8Array>,
  { silenceMs, signal }: ReadFramesOptions,
): AsyncGenerator<readonly StreamFrame[], void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let frames: StreamFrame[] = [];
  const parser = createParser({
    maxBufferSize: frameChars,
    onEvent: ({ id, event = 'message', data }) => frames.push({ id: numberIn(id), event, data }),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw error;
    },
  });
  const leave = () => void reader.cancel().catch(() => undefined);
  let quiet: ReturnType<typeof setTimeout> | undefined;
  signal?.addEventListener('abort', leave);
  if (signal?.aborted === true) leave();
  try {
    while (true) {
      clearTimeout(quiet);
      quiet = silenceMs === undefined ? undefined : setTimeout(leave, silenceMs);
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      if (frames.length === 0) continue;
      const read = frames;
      frames = [];
      yield read;
    }
  } finally {
    clearTimeout(quiet);
    signal?.removeEventListener('abort', leave);
    void letEnd(reader);
  }
}

/** After the last frame the reader waits for the end of the stream: cancelling would show as a failed request. */
async function letEnd(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const late = setTimeout(() => void reader.cancel().catch(() => undefined), endMs);
  try {
    while (!(await reader.read()).done);
  } catch {
    // It broke, and is over.
  } finally {
    clearTimeout(late);
  }
}

function numberIn(id: string | undefined): number | undefined {
  return id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}
