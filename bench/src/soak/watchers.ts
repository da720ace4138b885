import type { Door } from './door.js';
import { readFrames } from './read-frames.js';
import type { Sky } from './sky.js';

/** A block is made every 6 s; one that is not told by then in calm is lost. */
const freshMs = 20_000;

/** Somebody who watches the newest block, and comes back with the last one they heard of when the stream breaks. */
export class Watcher {
  #height = 0;
  #heardMs = performance.now();

  /** Goes on until the soak is over. */
  async run(door: Door, sky: Sky): Promise<void> {
    for (let attempt = 1; !sky.isOver; attempt++) {
      if (await this.#watch(door, sky)) attempt = 0;
      if (sky.isOver) return;
      door.refused('watch cut');
      door.turnToOther();
      await door.pause(attempt);
    }
  }

  /** Whether it has heard of a block lately. */
  get isFresh(): boolean {
    return performance.now() - this.#heardMs < freshMs;
  }

  async #watch(door: Door, sky: Sky): Promise<boolean> {
    const leave = new AbortController();
    const end = setInterval(() => sky.isOver && leave.abort(), 500);
    const from = this.#height;
    const headers = from > 0 ? { 'last-event-id': String(from) } : {};
    await readFrames(
      `${door.url}/proto/blocks?watch=1`,
      { headers },
      (frames) => {
        for (const { event, data } of frames) if (event === 'message') this.#take(Number(data['height']), door);
        return true;
      },
      leave,
    );
    clearInterval(end);
    return this.#height > from;
  }

  #take(height: number, { tally }: Door): void {
    if (!(height > this.#height)) tally.violate('watches tell each block once', `${height} after ${this.#height}`);
    else tally.count('blocks heard of');
    this.#height = Math.max(height, this.#height);
    this.#heardMs = performance.now();
  }
}
