import type { Act, Check, Longest } from '../../engine/flow.js';
import { customerId } from '../../entries/code.js';
import { email, longestNames } from '../../entries/text.js';

const maxShownChars = 40;

/** A name as a line that greets: a long one is cut, so that the menu below it stays on the first pages. */
export function shownName(name: string): string {
  const characters = [...name];
  return characters.length <= maxShownChars
    ? name
    : `${characters
        .slice(0, maxShownChars - 3)
        .join('')
        .trimEnd()}...`;
}

const longestIds = customerId.make({}).longest;

/** What is known of who is logged in. */
const subscriber: Longest = {
  customerId: longestIds,
  name: longestNames,
  shownName: longestNames.map(shownName),
  email: ['-', ...email.make({}).longest],
};
/** Why a PIN or a code was not taken. */
const refusals = { wrong: { attemptsLeft: ['2'] }, locked: { minutes: ['1440'] } } as const;

/** What flows can have done to accounts, by name. */
export const accountActs = {
  /** Creates an account of the name, email and PIN that were typed, unless the phone has created as many today as it may. */
  createAccount: {
    kind: 'act',
    takes: ['name'],
    mayTake: ['email'],
    results: { created: { customerId: longestIds }, limited: {} },
  },
  changePin: { kind: 'act', results: { changed: {} } },
  /** Sets the PIN of who typed a one-time code, and logs in. */
  resetPin: { kind: 'act', takes: ['customerId', 'codeGrant'], results: { changed: subscriber, over: {} } },
  /** To the `language` that the key says. */
  setLanguage: { kind: 'act', results: { set: {} } },
} as const satisfies Readonly<Record<string, Act>>;

/** What flows can have checked of them, by name. */
export const accountChecks = {
  /** Logs in with a Customer ID and a PIN, or the one-time code in its place. */
  logIn: {
    kind: 'check',
    takes: ['customerId'],
    results: { right: subscriber, code: { codeGrant: [''] }, ...refusals },
  },
  /** Finds the accounts of the phone that have a PIN, for who forgot the Customer ID: five at most. */
  findIds: {
    kind: 'check',
    results: { found: { customerIds: longestIds.map((id) => Array(5).fill(id).join(', ')) }, ...refusals },
  },
  /** Asks for the PIN again, of who is logged in. */
  checkPin: { kind: 'check', results: { right: {}, ...refusals } },
} as const satisfies Readonly<Record<string, Check>>;
