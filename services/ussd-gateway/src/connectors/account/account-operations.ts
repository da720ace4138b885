import type { Act, Check, Longest } from '../../engine/flow.js';
import { customerId } from '../../entries/code.js';
import { email, longestNames } from '../../entries/text.js';

const maxShownChars = 40;

/** A name for a greeting line: a long one is cut, so that the menu below it stays on the first pages. */
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

/** Facts about a logged-in subscriber. */
const subscriber: Longest = {
  customerId: longestIds,
  name: longestNames,
  shownName: longestNames.map(shownName),
  email: ['-', ...email.make({}).longest],
};
/** Reasons for refusing a PIN or a code. */
const refusals = { wrong: { attemptsLeft: ['2'] }, locked: { minutes: ['1440'] } } as const;

/** Acts on accounts available to flows, by name. */
export const accountActs = {
  /** Creates an account with the typed name, email and PIN, unless the phone has reached its daily limit. */
  createAccount: {
    kind: 'act',
    needs: ['secret'],
    takes: ['name'],
    mayTake: ['email'],
    results: { created: { customerId: longestIds }, limited: {} },
  },
  changePin: { kind: 'act', needs: ['account', 'secret'], results: { changed: {} } },
  /** Sets the PIN after a one-time code, and logs in. */
  resetPin: {
    kind: 'act',
    needs: ['secret'],
    takes: ['customerId', 'codeGrant'],
    results: { changed: subscriber, over: {} },
  },
  /** Sets the language to the `language` value of the key. */
  setLanguage: { kind: 'act', results: { set: {} } },
} as const satisfies Readonly<Record<string, Act>>;

/** Checks of accounts available to flows, by name. */
export const accountChecks = {
  /** Logs in with a Customer ID and a PIN, or a one-time code instead of the PIN. */
  logIn: {
    kind: 'check',
    needs: ['secret'],
    takes: ['customerId'],
    results: { right: subscriber, code: { codeGrant: [''] }, ...refusals },
  },
  /** Finds the accounts of the phone that have a PIN, for a forgotten Customer ID: at most five. */
  findIds: {
    kind: 'check',
    needs: ['secret'],
    results: { found: { customerIds: longestIds.map((id) => Array(5).fill(id).join(', ')) }, ...refusals },
  },
  /** Checks the PIN of a logged-in subscriber again. */
  checkPin: { kind: 'check', needs: ['account', 'secret'], results: { right: {}, ...refusals } },
} as const satisfies Readonly<Record<string, Check>>;
