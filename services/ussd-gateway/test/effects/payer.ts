import type { Random } from '@mlango/test-services/random';
import { vi } from 'vitest';
import { tellMs } from '../../src/effects/acts.js';
import type { PayWorld } from './pay-world.js';

/** What the payer was told in the end. */
export type Told = { readonly kind: 'refused' } | { readonly kind: 'paid'; readonly reference: string };

/** A caller gives a hop up after this. */
const patienceMs = 8000;

/** Some do not dial back at once. */
const longAwayMs = 400_000;

const mostHops = 400;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Somebody who wants to pay once, on a bad line: replies get lost, hops are delivered twice, processes die and sessions are forgotten. They
 * do what the screen says, and dial again when it goes away.
 */
export class Payer {
  readonly #world: PayWorld;
  readonly #random: Random;
  #dials = 0;
  #text = '';
  /** What was sent and heard, for who reads a failure. */
  readonly history: string[] = [];

  constructor(world: PayWorld, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  /** @throws {Error} if the gateway invites them to pay again what they asked for already, or never tells what became of it. */
  async pay(): Promise<Told> {
    let reply = await this.#dial();
    for (let hop = 0; hop < mostHops; hop++) {
      const told = toldBy(reply);
      if (told !== undefined) return told;
      reply = await this.#goOn(reply);
    }
    throw new Error('never told what became of it');
  }

  async #goOn(reply: string): Promise<string> {
    if (/^CON (Soko|How much\?)/.test(reply)) {
      const askedAtMs = this.#world.begunAtMs.at(-1) ?? Number.NEGATIVE_INFINITY;
      const isKnown = Date.now() >= this.#world.unknownUntilMs;
      if (isKnown && Date.now() - askedAtMs < tellMs) throw new Error(`invited to pay again: ${reply}`);
      return this.#type(reply.startsWith('CON Soko') ? '1' : '250');
    }
    const isWorking = reply.startsWith('CON We are working on it.');
    if (isWorking && this.#random.chance(0.7)) {
      await wait(this.#random.pick([0, 300, 2000, 15_000]));
      return this.#type('1');
    }
    // The caller's own retry of a hop that it heard nothing of.
    if (reply === '' && this.#random.chance(0.5)) return this.#send();
    if (!isWorking && !/^$|^END /.test(reply)) throw new Error(`not a screen of this dialogue: ${reply}`);
    await wait(this.#random.chance(0.01) ? longAwayMs : this.#random.pick([0, 1000, 6000]));
    return this.#dial();
  }

  #dial(): Promise<string> {
    this.#dials += 1;
    this.#text = '';
    return this.#send();
  }

  #type(input: string): Promise<string> {
    this.#text = this.#text === '' ? input : `${this.#text}*${input}`;
    return this.#send();
  }

  /** The reply, or nothing where it was lost. */
  async #send(): Promise<string> {
    if (this.#random.chance(0.03)) this.#world.forget();
    const copies = this.#random.chance(0.15) ? 2 : 1;
    const replies = await Promise.all(Array.from({ length: copies }, () => this.#deliver()));
    // Of two replies the caller shows the one that is a screen.
    const heard = replies.find((reply) => /^(CON|END Paid)/.test(reply)) ?? replies.find((reply) => reply !== '') ?? '';
    this.history.push(`${Date.now()} dial ${this.#dials} "${this.#text}" x${copies}: ${heard.split('\n', 1)[0]}`);
    return heard;
  }

  async #deliver(): Promise<string> {
    const replica = this.#world.replica();
    if (this.#random.chance(0.06)) setTimeout(() => replica.die(), this.#random.pick([0, 1, 50, 3000, 4500]));
    const hop = {
      aggregator: 'canonical',
      sessionId: `dial-${this.#dials}`,
      phoneNumber: '+260971230567',
      serviceCode: '*384#',
      text: this.#text,
    };
    const answered = replica
      .take(hop)
      .catch(() => ({ reply: 'END Service temporarily unavailable.', untold: undefined }));
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), patienceMs));
    const answer = await Promise.race([answered, late]);
    if (answer === undefined || this.#random.chance(0.15)) return '';
    if (answer.untold !== undefined) await Promise.race([replica.told(answer.untold), late]);
    return answer.reply;
  }
}

function toldBy(reply: string): Told | undefined {
  const reference = /^END Paid 250\. Reference (R-\d+)$/.exec(reply)?.[1];
  if (reference !== undefined) return { kind: 'paid', reference };
  return reply.startsWith('CON It was refused.') ? { kind: 'refused' } : undefined;
}

/** Lets time pass until a work is over. */
export async function untilOver<Value>(work: Promise<Value>): Promise<Value> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  while (!isOver) await vi.advanceTimersToNextTimerAsync();
  return work;
}
