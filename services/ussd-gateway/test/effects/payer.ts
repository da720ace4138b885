import type { Random } from '@mlango/test-services/random';
import { unshownOutcomeMs } from '../../src/effects/effect-runner.js';
import { Caller, wait } from './caller.js';
import type { PayWorld } from './pay-world.js';

/** Final outcome shown to the payer. */
export type Outcome = { readonly kind: 'refused' } | { readonly kind: 'paid'; readonly reference: string };

/** Some redial after a long time. */
const longPauseMs = 400_000;

const mostHops = 400;

/** A subscriber on an unreliable line: pays once, follows the screens, and redials when the screen closes. */
export class Payer {
  readonly #world: PayWorld;
  readonly #random: Random;
  readonly #caller: Caller;

  constructor(world: PayWorld, random: Random) {
    this.#world = world;
    this.#random = random;
    this.#caller = new Caller(world, random, { restores: 0.03 });
  }

  get history(): readonly string[] {
    return this.#caller.history;
  }

  /** @throws {Error} if the gateway offers to repeat a requested payment, or never shows its outcome. */
  async pay(): Promise<Outcome> {
    let reply = await this.#caller.dial();
    for (let hop = 0; hop < mostHops; hop++) {
      const outcome = outcomeIn(reply);
      if (outcome !== undefined) return outcome;
      reply = await this.#goOn(reply);
    }
    throw new Error('no outcome was shown');
  }

  async #goOn(screen: string): Promise<string> {
    // A restored session takes the inputs that it lost as one.
    const reply = screen.replace(/^CON Invalid \w+\.\n/, 'CON ');
    if (/^CON (Soko|How much\?)/.test(reply)) {
      const requestedAtMs = this.#world.begunAtMs.at(-1) ?? Number.NEGATIVE_INFINITY;
      const isKnown = Date.now() >= this.#world.unknownUntilMs;
      const { hasLostOutcome, wasSetBack } = this.#caller;
      if (isKnown && !hasLostOutcome && !wasSetBack && Date.now() - requestedAtMs < unshownOutcomeMs)
        throw new Error(`invited to pay again: ${reply}`);
      return this.#caller.type(reply.startsWith('CON Soko') ? '1' : '250');
    }
    const isWorking = reply.startsWith('CON We are working on it.');
    // An outcome that was lost behind the gateway counts as shown: a new dial would not show it.
    if (isWorking && (this.#caller.hasLostOutcome || this.#random.chance(0.7))) {
      await wait(this.#random.pick([0, 300, 2000, 15_000]));
      return this.#caller.type('1');
    }
    const { hasLostOutcome } = this.#caller;
    if (hasLostOutcome && /^$|^END Service/.test(reply)) return this.#caller.send();
    if (reply === '' && this.#random.chance(0.5)) return this.#caller.send();
    if (!isWorking && !/^$|^END /.test(reply)) throw new Error(`not a screen of this dialogue: ${reply}`);
    await wait(this.#random.chance(0.01) ? longPauseMs : this.#random.pick([0, 1000, 6000]));
    return this.#caller.dial();
  }
}

function outcomeIn(reply: string): Outcome | undefined {
  const reference = /^END Paid 250\. Reference (R-\d+)$/.exec(reply)?.[1];
  if (reference !== undefined) return { kind: 'paid', reference };
  return reply.startsWith('CON It was refused.') ? { kind: 'refused' } : undefined;
}
