import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@mlango/test-services/random';
import type { Gateways } from './gateways.fixture.js';

/** The final message of the payer. */
export type Told = { readonly kind: 'refused' } | { readonly kind: 'paid'; readonly receipt: string };

const outcome = /Receipt|It was not paid/;
const mostHops = 400;
/** A caller gives a hop up after this. */
const patienceMs = 8000;

/**
 * A customer who pays 250 once, on a bad line: replies get lost, hops are sent twice, sessions are left for a new dial. Follows
 * the screen: if a dial is answered without the account (the database is slow), the customer pays again, and must not be charged
 * twice.
 */
export class Payer {
  readonly #gateways: Gateways;
  readonly #random: Random;
  readonly phoneNumber: string;
  #dials = 0;
  #text = '';
  /** Requests and responses, for the report of a failure. */
  readonly history: string[] = [];

  constructor(phoneNumber: string, gateways: Gateways, random: Random) {
    this.phoneNumber = phoneNumber;
    this.#gateways = gateways;
    this.#random = random;
  }

  /** @throws {Error} if the outcome is never reported. */
  async pay(): Promise<Told> {
    let reply = await this.#dial();
    for (let hop = 0; hop < mostHops; hop++) {
      const receipt = /^END Paid: 250\. Receipt: (MM\d+)$/.exec(reply)?.[1];
      if (receipt !== undefined) return { kind: 'paid', receipt };
      if (reply.startsWith('CON It was not paid.')) return { kind: 'refused' };
      reply = await this.#goOn(reply);
    }
    throw new Error(`the outcome was never reported:\n${this.history.join('\n')}`);
  }

  async #goOn(reply: string): Promise<string> {
    if (reply.startsWith('CON Please confirm on your phone.')) {
      await sleep(this.#random.pick([50, 300, 1000]));
      return this.#random.chance(0.7) ? this.#type('1') : this.#dial();
    }
    const next = [
      [/^CON Welcome to /, '1'],
      [/How much do you pay\?/, '250'],
      [/^CON You pay 250, /, '1'],
    ] as const;
    const found = next.find(([screen]) => screen.test(reply));
    if (found !== undefined) return this.#type(found[1]);
    if (reply !== '' && !reply.startsWith('END ')) throw new Error(`no screen of this dialogue: ${reply}`);
    await sleep(this.#random.pick([20, 200, 600]));
    // The payer's own retry after a lost response.
    return reply === '' ? this.#send() : this.#dial();
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

  /** The reply; empty if it was lost. */
  async #send(): Promise<string> {
    const copies = this.#random.chance(0.15) ? 2 : 1;
    const replies = await Promise.all(Array.from({ length: copies }, () => this.#deliver()));
    // If there are two responses, the one with an outcome counts.
    const heard = replies.find((reply) => outcome.test(reply)) ?? replies.find((reply) => reply !== '') ?? '';
    // A response sent to the network counts as reported: the gateway cannot know about later loss (ADR 0024).
    const isLost = this.#random.chance(0.1) && !outcome.test(heard);
    this.history.push(
      `dial ${this.#dials} "${this.#text}" x${copies}: ${isLost ? 'lost ' : ''}${heard.split('\n', 1)[0]}`,
    );
    return isLost ? '' : heard;
  }

  async #deliver(): Promise<string> {
    const { phoneNumber } = this;
    const hop = { sessionId: `${phoneNumber}-${this.#dials}`, serviceCode: '*384#', phoneNumber, text: this.#text };
    try {
      const reply = await fetch(`${this.#gateways.any(this.#random)}/api/ussd`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(hop),
        signal: AbortSignal.timeout(patienceMs),
      });
      return await reply.text();
    } catch {
      return '';
    }
  }
}
