import { type Dialogue, hold } from './dialogue.js';
import type { Door } from './door.js';
import { codes } from './flows.js';
import type { Sky } from './sky.js';

/** What a payer was told: the receipt, or nothing where it was refused. */
export interface PaymentTold {
  readonly phone: string;
  readonly receipt: string | undefined;
}

/** Subscribers who pay a bill once each. */
export class Payers {
  readonly told: PaymentTold[] = [];
  #count = 0;

  /** Goes on until the soak is over. */
  async run(door: Door, sky: Sky): Promise<void> {
    while (!sky.isOver) await sky.doing(() => this.#one(door));
  }

  async #one(door: Door): Promise<void> {
    const phone = `+26096${String(1_000_000 + ++this.#count)}`;
    let dials = 0;
    const told = await hold(payment(phone), door, () => `${phone}-${++dials}`);
    if ('wrong' in told) {
      door.tally.violate('callers are told in the end', `who pays as ${phone} ${told.wrong}`);
      return;
    }
    const receipt = /Receipt: (MM\d+)/.exec(told.screen)?.[1];
    this.told.push({ phone, receipt });
    door.tally.count(receipt === undefined ? 'payments refused' : 'payments made');
  }
}

const payment = (phone: string): Dialogue => ({
  phone,
  code: codes.payments,
  types: [
    [/1\. Continue/, '1'],
    [/Welcome to /, '1'],
    [/How much do you pay/, '250'],
    [/You pay 250/, '1'],
  ],
  done: /^END Paid: 250\. Receipt: MM\d+|It was not paid/,
  never: /Invalid|We do not know whether|whole number|Please type 10/,
});
