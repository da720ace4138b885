import type { Random } from '@mlango/test-services/random';
import { expect } from 'vitest';
import type { Bank } from './bank.js';
import { expectReply } from './expect-reply.js';
import { nextInput } from './next-input.js';
import { type Expected, SessionModel } from './session-model.js';

/** Connection to the gateway. */
export interface Line {
  /** Delivers one text; copies of it, counted from 0, may go to different processes. */
  readonly send: (caller: Caller, text: string, copy: number) => Promise<string>;
  readonly nowMs: () => number;
}

export interface Caller {
  readonly sessionId: string;
  readonly phoneNumber: string;
}

interface World {
  readonly bank: Bank;
  readonly line: Line;
  readonly random: Random;
  /** Collects every kind of reply and every shown screen, as coverage of a run. */
  readonly seen: Set<string>;
}

/** Most hops of a late delivery: earlier texts are not stored. */
const mostHopsLate = 20;

/** A subscriber, and an aggregator that delivers the inputs: once, repeatedly, late, or several times at once. */
export class Subscriber {
  #caller: Caller;
  #forgotten = 0;
  readonly #bank: Bank;
  readonly #line: Line;
  readonly #random: Random;
  readonly #model: SessionModel;
  readonly #accumulates: boolean;
  readonly #seen: Set<string>;
  #typed = '';

  constructor(caller: Caller, world: World) {
    this.#caller = caller;
    this.#bank = world.bank;
    this.#line = world.line;
    this.#random = world.random;
    this.#seen = world.seen;
    this.#model = new SessionModel(caller.phoneNumber, world.bank);
    this.#accumulates = world.random.chance(0.85);
  }

  /** After its session was deleted. Another id follows: a session that lost an outcome gets it again for an equal request. */
  forget(): void {
    this.#model.forget();
    this.#forgotten += 1;
    this.#caller = {
      ...this.#caller,
      sessionId: this.#caller.sessionId.replace(/(-lost-\d+)?$/, `-lost-${this.#forgotten}`),
    };
  }

  /** Types once, and compares every reply. Resolves with the number of deliveries. */
  async type(): Promise<number> {
    const text = this.#nextText();
    const roll = this.#random.next();
    if (roll < 0.08) return this.#deliverTogether(text, this.#random.between(2, 4));
    if (roll < 0.12) return this.#deliverOvertaken(text);
    await this.#deliver(text);
    if (roll < 0.2) await this.#deliver(text);
    else if (roll < 0.28) await this.#deliver(this.#lateText());
    else return 1;
    return 2;
  }

  #nextText(): string {
    const place = this.#model.placeAt(this.#line.nowMs());
    const isClosed = place === undefined || place.at === 'closed';
    if (isClosed) this.#typed = this.#random.chance(0.7) ? '' : this.#extended('1');
    else if (this.#random.chance(0.01)) this.#typed = '';
    else this.#typed = this.#extended(nextInput(place, this.#random, this.#bank));
    return this.#typed;
  }

  #extended(input: string): string {
    if (!this.#accumulates) return input === '' ? '9' : input;
    if (this.#typed.length > 182) return '';
    if (this.#typed === '') return input === '' ? '9' : input;
    return `${this.#typed}*${input}`;
  }

  #lateText(): string {
    const earlier = this.#model.texts.slice(-mostHopsLate);
    return earlier.length === 0 ? this.#typed : this.#random.pick(earlier);
  }

  async #deliver(text: string): Promise<void> {
    const expected = this.#model.hop(text, this.#line.nowMs());
    this.#compare(expected, await this.#line.send(this.#caller, text, this.#random.between(0, 1)));
  }

  /** Concurrent copies have one effect and one reply. */
  async #deliverTogether(text: string, copies: number): Promise<number> {
    const expected = this.#model.hop(text, this.#line.nowMs());
    const sends = Array.from({ length: copies }, (_, copy) => this.#line.send(this.#caller, text, copy));
    const replies = await Promise.all(sends);
    const [first = ''] = replies;
    expect(replies).toEqual(replies.map(() => first));
    this.#compare(expected, first);
    return copies;
  }

  /**
   * An earlier text that arrives with the next one, before or after it, gets the reply before or after it, and changes
   * nothing. After a dial or a single key it cannot be distinguished from a new input, so none is sent then.
   */
  async #deliverOvertaken(text: string): Promise<number> {
    const nowMs = this.#line.nowMs();
    const late = this.#lateText();
    const isLive = this.#model.placeAt(nowMs) !== undefined;
    const goesOn = text.startsWith(`${this.#model.texts.at(-1)}*`);
    if (!goesOn || !isLive || late === '' || !this.#model.texts.includes(late)) return this.#deliverTogether(text, 1);
    const before = this.#model.hop(late, nowMs);
    if (before.kind !== 'same') throw new Error('a text that was run is a retry');
    const expected = this.#model.hop(text, this.#line.nowMs());
    const sendLate = () => this.#line.send(this.#caller, late, 0);
    const sendNext = () => this.#line.send(this.#caller, text, 1);
    const [lateReply, reply] = this.#random.chance(0.5)
      ? await Promise.all([sendLate(), sendNext()])
      : (await Promise.all([sendNext(), sendLate()])).toReversed();
    if (lateReply === undefined || reply === undefined) throw new Error('two were sent');
    this.#compare(expected, reply);
    const over = 'END Session expired. Please dial again.';
    expect([before.reply, reply.startsWith('END') ? over : reply]).toContain(lateReply);
    return 2;
  }

  #compare(expected: Expected, reply: string): void {
    expectReply(expected, reply, this.#caller.phoneNumber);
    this.#seen.add(expected.kind === 'screen' ? expected.place.at : expected.kind);
    if (reply.includes('Locked')) this.#seen.add('locked');
    if (reply.includes('No more new accounts')) this.#seen.add('limited');
    if (expected.kind === 'screen' || expected.kind === 'page') this.#model.served(expected, reply);
  }
}
