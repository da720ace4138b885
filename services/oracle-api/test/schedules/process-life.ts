import type { Random } from '@mlango/test-services/random';
import { working } from './virtual-time.js';

const never = new Promise<never>(() => undefined);

/** The life of a process. Once it is over, nothing that it still does is seen by anybody, and it hears of nothing. */
export class ProcessLife {
  isOver = false;
  /** It ends at this call of what it shares with others, counted from now. */
  endsIn = Number.POSITIVE_INFINITY;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  end(): void {
    this.isOver = true;
  }

  /** Does something outside of the process, and hears what came of it; each as long as it lives. */
  alive = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (this.isOver) return never;
    try {
      return await work();
    } finally {
      if (this.isOver) await never;
    }
  };

  /** What it shares with others, as far as it lives to ask and to hear the answer. */
  seen<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get: (_, name) => {
        const member: unknown = Reflect.get(port, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => this.#ask(() => member.apply(port, args) as Promise<unknown>);
      },
    });
  }

  async #ask(work: () => Promise<unknown>): Promise<unknown> {
    this.endsIn -= 1;
    const endsNow = this.endsIn <= 0 && !this.isOver;
    if (endsNow && this.#random.chance(0.5)) this.end();
    return this.alive(async () => {
      const result = await working(work);
      if (endsNow) this.end();
      return result;
    });
  }
}
