/** A tab in the background draws no frames, and still has to say what has come by now and then. */
const backgroundMs = 200;

export type StreamingMode = 'batched' | 'immediate';

/** Brings changes to those who show them: at most once for each frame of the screen, or at once. */
export class FlushSchedule {
  readonly #flush: () => void;
  readonly #mode: () => StreamingMode;
  #cancel: (() => void) | undefined;

  constructor(flush: () => void, mode: () => StreamingMode) {
    this.#flush = flush;
    this.#mode = mode;
  }

  /** Something has changed. */
  readonly request = (): void => {
    if (this.#mode() === 'immediate') this.now();
    else this.#cancel ??= onNextFrame(() => this.now());
  };

  /** Something has changed that nobody should wait for. */
  readonly now = (): void => {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#flush();
  };
}

function onNextFrame(then: () => void): () => void {
  const hasFrames = typeof requestAnimationFrame === 'function';
  const frame = hasFrames ? requestAnimationFrame(() => then()) : undefined;
  const timer = setTimeout(then, hasFrames ? backgroundMs : 0);
  return () => {
    clearTimeout(timer);
    if (frame !== undefined) cancelAnimationFrame(frame);
  };
}
