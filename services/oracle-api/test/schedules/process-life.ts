import type { Random } from '@mlango/test-services/random';
import { working } from './virtual-time.js';

const never = new Promise<never>(() => undefined);

/** The lifetime of a process. After its end its actions have no effect, and it receives no messages. */
export class ProcessLife {
  isOver = false;
  /** Number of calls of shared stores until it ends. */
  endsIn = Number.POSITIVE_INFINITY;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  end(): void {
    this.isOver = true;
  }

  /** Runs an external effect and returns its result; both only while the process is running. */
  alive = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (this.isOver) return never;
    try {
      return await work();
    } finally {
      if (this.isOver) await never;
    }
  };

  /** A shared store that works only while the process is running, checked before and after each call. */
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
