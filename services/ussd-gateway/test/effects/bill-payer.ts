import type { Random } from '@mlango/test-services/random';
import { Caller, wait } from './caller.js';
import type { PayWorld } from './pay-world.js';

/** A bill as shown on a screen. */
interface Seen {
  readonly name: string;
  readonly amount: string;
}

const mostHops = 600;

/** Probability that a delivery of a hop ends its process. */
const deaths = 0.2;

/**
 * A subscriber on an unreliable line, paying the bill shown under the typed key. They sometimes turn the pages and go
 * back, and compare every later screen with the chosen line.
 */
export class BillPayer {
  readonly #random: Random;
  readonly #caller: Caller;
  /** Lines of the last shown page, by key. */
  #page: ReadonlyMap<string, Seen> = new Map();
  #chosen: Seen | undefined;
  /** Bills confirmed by the subscriber: only one of them is paid, the first that reached the gateway. */
  readonly confirmed: Seen[] = [];
  /** By screen, number of processes that crashed in a hop typed on it. */
  readonly deaths = new Map<string, number>();

  constructor(world: PayWorld, random: Random) {
    this.#random = random;
    this.#caller = new Caller(world, random, { deaths });
  }

  get history(): readonly string[] {
    return this.#caller.history;
  }

  /**
   * Runs until a receipt is shown.
   *
   * @throws {Error} for a screen of another bill than the chosen one.
   */
  async pay(): Promise<void> {
    let reply = await this.#caller.dial();
    for (let hop = 0; hop < mostHops; hop++) {
      const [, amount = '', name = ''] = /^END Paid (\S+) for (.*)$/.exec(reply) ?? [];
      if (name !== '') return this.#expect(this.confirmed, { name, amount }, 'receipt');
      reply = await this.#goOn(reply);
    }
    throw new Error('never paid');
  }

  async #goOn(reply: string): Promise<string> {
    const screen = reply.replace(
      /^CON (?:Invalid choice\.\n|It was refused\.\n|You have no bills\.\n|There is no answer\.\n)?/,
      '',
    );
    if (screen.startsWith('Soko')) return this.#typeOn('menu', '1');
    if (screen.startsWith('Your last call')) return this.#typeOn('offer', this.#random.chance(0.8) ? '1' : '2');
    if (screen.startsWith('We are working')) {
      await wait(this.#random.pick([0, 300, 2000, 15_000]));
      return this.#typeOn('working', '1');
    }
    if (screen.startsWith('You pay')) {
      const [, amount = '', name = '', reference = ''] =
        /^You pay (\S+) for (.*)\. Reference (\S+)$/m.exec(screen) ?? [];
      this.#expect(this.#chosen === undefined ? [] : [this.#chosen], { name, amount }, 'screen');
      const [, question = '', house = ''] = /^Bill (\d+) of house (\d+)$/.exec(name) ?? [];
      if (reference !== `R-${question}-${house}`) throw new Error(`the reference of another bill: ${screen}`);
      const isConfirmed = this.#random.chance(0.7);
      if (isConfirmed) this.confirmed.push({ name, amount });
      return this.#typeOn('confirm', isConfirmed ? '1' : '0');
    }
    if (/^(\d+\. |Which bill\?)/.test(screen)) return this.#choose(screen);
    if (reply === '' && this.#random.chance(0.6)) return this.#caller.send();
    if (!/^$|^END /.test(reply)) throw new Error(`not a screen of this dialogue: ${reply}`);
    await wait(this.#random.pick([0, 1000, 6000]));
    return this.#caller.dial();
  }

  /** Types the key of a line of this page, or turns the page. */
  #choose(screen: string): Promise<string> {
    const lines = [...screen.matchAll(/^(\d+)\. (Bill .*) (\S+)$/gm)];
    this.#page = new Map(lines.map(([, key = '', name = '', amount = '']) => [key, { name, amount }]));
    const turns = ['98', '99'].filter((key) => screen.includes(`${key}. `));
    if (turns.length > 0 && this.#random.chance(0.4)) return this.#typeOn('page', this.#random.pick(turns));
    if (this.#random.chance(0.05)) return this.#typeOn('list', '0');
    const key = this.#random.pick([...this.#page.keys()]);
    this.#chosen = this.#page.get(key);
    return this.#typeOn('list', key);
  }

  async #typeOn(screen: string, types: string): Promise<string> {
    const { killed } = this.#caller;
    const reply = await this.#caller.type(types);
    this.deaths.set(screen, (this.deaths.get(screen) ?? 0) + this.#caller.killed - killed);
    return reply;
  }

  #expect(known: readonly Seen[], { name, amount }: Seen, screen: string): void {
    if (known.some((one) => one.name === name && one.amount === amount)) return;
    throw new Error(`the ${screen} is of ${name} ${amount}, chosen was ${JSON.stringify(known)}`);
  }
}
