import { type Dialogue, hold } from './dialogue.js';
import type { Door } from './door.js';
import { codes } from './flows.js';
import type { Sky } from './sky.js';

export interface Account {
  readonly phone: string;
  readonly name: string;
  /** As the screen said. */
  readonly id: string;
}

const pin = '90210';
const again: readonly [RegExp, string] = [/1\. Continue/, '1'];
const never = /Invalid input|Wrong|Locked|No more new accounts|Too easy/;

/** Subscribers who sign up, each with a phone and a name of their own, then log in and read their details. */
export class Subscribers {
  readonly accounts: Account[] = [];
  #count = 0;

  /** Goes on until the soak is over. */
  async run(door: Door, sky: Sky): Promise<void> {
    while (!sky.isOver) await sky.doing(() => this.#one(door));
  }

  async #one(door: Door): Promise<void> {
    const number = ++this.#count;
    const phone = `+26097${String(1_000_000 + number)}`;
    const name = nameOf(number);
    let dials = 0;
    const told = await hold(signUp(phone, name), door, () => `${phone}-${++dials}`);
    if ('wrong' in told) {
      door.tally.violate('callers are told in the end', `who signs up as ${phone} ${told.wrong}`);
      return;
    }
    const id = /Your Customer ID: (C[0-9A-Z]{8})/.exec(told.screen)?.[1] ?? '';
    this.accounts.push({ phone, name, id });
    door.tally.count('accounts created');
    const logged = await hold(logIn(phone, name, id), door, () => `${phone}-${++dials}`);
    if ('wrong' in logged) door.tally.violate('callers are told in the end', `who logs in as ${phone} ${logged.wrong}`);
    else if (!logged.screen.includes(`Name: ${name}`) || !logged.screen.includes(`Phone: ${phone}`)) {
      door.tally.violate('nobody sees what is another’s', `${phone}, ${name}, was shown ${logged.screen}`);
    } else door.tally.count('log-ins with own details');
  }
}

function signUp(phone: string, name: string): Dialogue {
  return {
    phone,
    code: codes.accounts,
    types: [
      again,
      [/Welcome to /, '2'],
      [/Do you have an existing account/, '2'],
      [/Enter your full name/, name],
      [/Enter your email/, '00'],
      [/Create a 5-digit PIN/, pin],
      [/Confirm your 5-digit PIN/, pin],
    ],
    done: /Your Customer ID: C[0-9A-Z]{8}/,
    never,
  };
}

function logIn(phone: string, name: string, id: string): Dialogue {
  return {
    phone,
    code: codes.accounts,
    types: [
      again,
      [/Welcome to /, '2'],
      [/Do you have an existing account/, '1'],
      [/Enter your Customer ID/, id],
      [/Enter your PIN/, pin],
      [/Welcome, /, '1'],
      // An outcome that was not told yet is shown first.
      [/Back to Account Menu/, '1'],
    ],
    done: /Name: .*[\s\S]*Phone: /,
    never: new RegExp(`${never.source}|Welcome, (?!${name})`),
  };
}

/** A name of letters that nobody else has. */
function nameOf(number: number): string {
  const letters = [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  return `Amina X${letters}`;
}
