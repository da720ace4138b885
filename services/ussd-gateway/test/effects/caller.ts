import type { Random } from '@mlango/test-services/random';
import { vi } from 'vitest';
import type { PayWorld } from './pay-world.js';

/** Time after which a caller abandons a hop. */
const patienceMs = 8000;

export const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Default probability that a delivery of a hop ends its process. */
const usualDeaths = 0.06;

/** A phone on an unreliable line: replies are lost, hops are delivered twice, processes crash and sessions are deleted. */
export class Caller {
  readonly #world: PayWorld;
  readonly #random: Random;
  readonly #deaths: number;
  readonly #restores: number;
  #dials = 0;
  #text = '';
  /** Each request with its reply, for the message of a failure. */
  readonly history: string[] = [];
  /** Number of processes crashed by a hop of this phone, including scheduled crashes. */
  killed = 0;
  /** A reply with an outcome was sent, and was lost behind the gateway: the caller retries until it is shown. */
  hasLostOutcome = false;
  /** The session of this dial was set back: inputs are taken on an earlier screen. */
  wasSetBack = false;

  /**
   * @param options.deaths probability that a delivery ends its process
   * @param options.restores probability that the session is set back to an older record before a hop
   */
  constructor(world: PayWorld, random: Random, { deaths = usualDeaths, restores = 0 } = {}) {
    this.#world = world;
    this.#random = random;
    this.#deaths = deaths;
    this.#restores = restores;
  }

  /** The reply, empty if it was lost. */
  dial(): Promise<string> {
    this.#dials += 1;
    this.#text = '';
    this.wasSetBack = false;
    return this.send();
  }

  type(input: string): Promise<string> {
    this.#text = this.#text === '' ? input : `${this.#text}*${input}`;
    return this.send();
  }

  /** Sends the text again: the caller's own retry of a hop without a reply. */
  async send(): Promise<string> {
    if (this.#random.chance(0.03)) this.#world.forget();
    if (this.#random.chance(this.#restores) && (await this.#world.restoreOlder())) this.wasSetBack = true;
    const copies = this.#random.chance(0.15) ? 2 : 1;
    const replies = await Promise.all(Array.from({ length: copies }, () => this.#deliver()));
    // Of two replies the caller shows the one that is a screen.
    const shown = replies.find((reply) => /^(CON|END Paid)/.test(reply)) ?? replies.find((reply) => reply !== '') ?? '';
    this.history.push(`${Date.now()} dial ${this.#dials} "${this.#text}" x${copies}: ${shown.split('\n', 1)[0]}`);
    return shown;
  }

  async #deliver(): Promise<string> {
    const replica = this.#world.replica();
    if (this.#random.chance(this.#deaths)) {
      this.killed += 1;
      setTimeout(() => replica.die(), this.#random.pick([0, 1, 50, 3000, 4500]));
    }
    const hop = {
      aggregator: 'canonical',
      sessionId: `dial-${this.#dials}`,
      phoneNumber: '+260971230567',
      serviceCode: '*384#',
      text: this.#text,
      arrivedAtMs: Date.now(),
    };
    const answered = replica
      .take(hop)
      .catch(() => ({ reply: 'END Service temporarily unavailable.', shownEffect: undefined }));
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), patienceMs));
    const answer = await Promise.race([answered, late]);
    if (answer === undefined || this.#random.chance(0.15)) return '';
    const { shownEffect } = answer;
    if (shownEffect !== undefined) await Promise.race([replica.acknowledge(shownEffect, hop.sessionId), late]);
    // A dial that is sent again is another dial.
    if (shownEffect === undefined || this.#text === '' || !this.#random.chance(0.2)) return answer.reply;
    this.hasLostOutcome = true;
    return '';
  }
}

/** Advances time until a promise is settled. */
export async function untilOver<Value>(work: Promise<Value>): Promise<Value> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  while (!isOver) await vi.advanceTimersToNextTimerAsync();
  return work;
}
