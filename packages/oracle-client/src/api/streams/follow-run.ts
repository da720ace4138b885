import { readFrames, type StreamFrame } from './read-frames.js';
import { parseRunEvent, type RunEvent } from './run-event.js';

export interface RunSource {
  /** The stream that a message was answered with; undefined to begin with the run's own. */
  readonly first?: Pick<Response, 'body'>;
  /** Undefined until a stream has named it. */
  readonly runId?: string;
}

export interface FollowParts {
  /** The stream of a run after the frame of that id. Rejects when it cannot be had. */
  readonly open: (runId: string, after: number) => Promise<Pick<Response, 'body'>>;
  /** Whether an error of `open` is temporary. */
  readonly isPassing: (error: unknown) => boolean;
  /** Waits before an attempt, 1 the first in a row; rejects to give up. */
  readonly pause: (attempt: number) => Promise<void>;
  readonly silenceMs: number;
  /** Ends the reading. Later rejections have its reason. */
  readonly signal: AbortSignal;
}

/**
 * The events of an answer until it is over, across reconnects: a stream that was cut continues after the last whole frame, so
 * that no frame is missed or repeated. Ends after `done`, or without it for a stream that cannot continue because the run is
 * unknown. Rejects with the errors of `open` or `pause`, unless temporary, and with the signal's reason.
 */
export async function* followRun(
  source: RunSource,
  parts: FollowParts,
): AsyncGenerator<readonly RunEvent[], void, undefined> {
  const place = new Place(source.runId);
  let stream = source.first;
  for (let attempt = 0; ; attempt++) {
    if (stream === undefined) {
      if (place.runId === undefined) return;
      if (attempt > 0) await parts.pause(attempt);
      if (place.begin()) yield [{ kind: 'restart' }];
      stream = await opened(place.runId, place.lastId, parts);
    }
    for await (const events of eventsIn(stream, place, parts)) {
      // A server that greets and hangs up makes no progress.
      if (events.some(({ kind }) => kind !== 'run')) attempt = 0;
      yield events;
    }
    if (place.isDone) return;
    parts.signal.throwIfAborted();
    stream = undefined;
  }
}

/** The new events of a stream until it ends, breaks or diverges. */
async function* eventsIn(
  stream: Pick<Response, 'body'> | undefined,
  place: Place,
  parts: FollowParts,
): AsyncGenerator<readonly RunEvent[], void, undefined> {
  if (!stream?.body) return;
  // Only a resumable position is checked.
  const silenceMs = place.runId === undefined ? undefined : parts.silenceMs;
  const batches = readFrames(stream.body, { silenceMs, signal: parts.signal });
  try {
    while (!place.isDone && !place.isAstray) {
      // The try block covers the connection only, not errors of the consumer.
      const next = await batches.next().catch(() => undefined);
      if (next === undefined || next.done === true) return;
      const events = place.take(next.value);
      if (events.length > 0) yield events;
    }
  } finally {
    await batches.return();
  }
}

async function opened(runId: string, after: number, { open, isPassing }: FollowParts) {
  try {
    return await open(runId, after);
  } catch (error) {
    if (isPassing(error)) return undefined;
    throw error;
  }
}

/** The position of a reader in a run. */
class Place {
  runId: string | undefined;
  lastId = 0;
  isDone = false;
  /** The text received differs from the server's. */
  isAstray = false;
  #textLength = 0;
  #hasEvents = false;

  constructor(runId: string | undefined) {
    this.runId = runId;
  }

  /** True if the stream will restart although a part of it has arrived: its frames have no ids, or its position is invalid. */
  begin(): boolean {
    if (this.isAstray) this.lastId = 0;
    this.isAstray = false;
    const isAgain = this.lastId === 0 && this.#hasEvents;
    if (isAgain) this.#textLength = 0;
    return isAgain;
  }

  /** The events of new frames. */
  take(frames: readonly StreamFrame[]): RunEvent[] {
    const events: RunEvent[] = [];
    for (const frame of frames) {
      const event = this.isDone || this.isAstray ? undefined : this.#takeOne(frame);
      if (event !== undefined) events.push(event);
    }
    this.#hasEvents ||= events.length > 0;
    return events;
  }

  #takeOne({ id, event: name, data }: StreamFrame): RunEvent | undefined {
    // A resumed stream first repeats the id of the last frame received.
    const isOld = id !== undefined && id <= this.lastId;
    const event = isOld && name !== 'run' ? undefined : parseRunEvent(name, data);
    if (id !== undefined && id > this.lastId) this.lastId = id;
    if (event?.kind === 'run') {
      this.runId = event.runId ?? this.runId;
      this.isAstray = event.partialLength !== undefined && event.partialLength !== this.#textLength;
    }
    if (event?.kind === 'text') this.#textLength += event.text.length;
    if (event?.kind === 'done') this.isDone = true;
    return event;
  }
}
