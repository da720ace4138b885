import { cpuTimeUs } from '../child-process.js';

/** Frames that a stream brings before all that its beginning costs is surely done with. */
const beginning = 3;
/** Fewer say nothing of what one costs. */
const fewestEach = 5;

interface Mark {
  readonly cpuUs: number;
  readonly frames: number;
}

/**
 * What one more frame costs a process while all of so many streams are under way: from when each has its beginning behind it until the first
 * of them has come to its last frame but one. What it costs to begin and to end them is no part of it, nor is how much that differs from
 * time to time.
 */
export class FramesUnderWay {
  readonly #of: { readonly streams: number; readonly frames: number };
  readonly #cpuUs: () => number;
  #begun = 0;
  #frames = 0;
  #from: Mark | undefined;
  #to: Mark | undefined;

  /** @param of how many streams, and how many frames each of them brings */
  constructor(pid: number, of: { readonly streams: number; readonly frames: number }, cpuUs = () => cpuTimeUs(pid)) {
    this.#of = of;
    this.#cpuUs = cpuUs;
  }

  /** To be told of the frames of each stream as they arrive. */
  readonly saw = (before: number, now: number): void => {
    this.#frames += now - before;
    if (before < beginning && now >= beginning && ++this.#begun === this.#of.streams) this.#from = this.#mark();
    if (now >= this.#of.frames - 1) this.#to ??= this.#mark();
  };

  /** In µs; undefined where too few came while all were under way. */
  get cpuUs(): number | undefined {
    const [from, to] = [this.#from, this.#to];
    if (from === undefined || to === undefined) return undefined;
    const frames = to.frames - from.frames;
    return frames < fewestEach * this.#of.streams ? undefined : (to.cpuUs - from.cpuUs) / frames;
  }

  #mark(): Mark {
    return { cpuUs: this.#cpuUs(), frames: this.#frames };
  }
}
