import { setTimeout as sleep } from 'node:timers/promises';
import type { Luck } from './luck.js';
import type { Tally } from './tally.js';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** What a caller does who is not served is over after this; no fault and no recovery that is documented takes so long. */
export const endurancesMs = 180_000;

/** The two replicas of a service, as a caller uses them who goes to the other one when one does not answer. */
export class Door {
  readonly #urls: readonly [string, string];
  readonly #luck: Luck;
  readonly #tally: Tally;
  readonly #name: string;
  #turn: number;

  constructor(name: string, urls: readonly [string, string], luck: Luck, tally: Tally) {
    this.#name = name;
    this.#urls = urls;
    this.#luck = luck;
    this.#tally = tally;
    this.#turn = luck.between(0, 1);
  }

  get tally(): Tally {
    return this.#tally;
  }

  get luck(): Luck {
    return this.#luck;
  }

  /** The replica that is asked now. */
  get url(): string {
    return this.#urls[this.#turn % 2] ?? this.#urls[0];
  }

  turnToOther(): void {
    this.#turn += 1;
  }

  refused(answer: string): void {
    this.#tally.refuse(this.#name, answer);
  }

  /** One try; undefined where nobody answered. Whoever asks again asks the other replica. */
  async ask(path: string, init: RequestInit, patienceMs = 10_000): Promise<Answer | undefined> {
    try {
      const reply = await fetch(`${this.url}${path}`, { ...init, signal: AbortSignal.timeout(patienceMs) });
      const body = await reply.text();
      if (reply.status >= 500) this.turnToOther();
      return { status: reply.status, body };
    } catch {
      this.refused('no answer');
      this.turnToOther();
      return undefined;
    }
  }

  /** Asks again while the answer is one that passes (nothing, 429, 5xx). Undefined where it never did. */
  async served(path: string, init: () => RequestInit | Promise<RequestInit>): Promise<Answer | undefined> {
    const sinceMs = performance.now();
    for (let attempt = 1; performance.now() - sinceMs < endurancesMs; attempt++) {
      const answer = await this.ask(path, await init());
      if (answer !== undefined && answer.status < 500 && answer.status !== 429) {
        this.#tally.waited(`${this.#name} ${path.split('/')[1]}`, attempt === 1 ? 0 : performance.now() - sinceMs);
        return answer;
      }
      if (answer !== undefined) this.refused(String(answer.status));
      await this.pause(attempt);
    }
    return undefined;
  }

  /** Longer each time, up to two seconds, and never for as long as everybody else. */
  async pause(attempt: number): Promise<void> {
    await sleep(Math.min(2000, 100 * 2 ** attempt) * (0.5 + this.#luck.next() / 2));
  }
}
