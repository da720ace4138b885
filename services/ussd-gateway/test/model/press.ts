import type { Bank, Guess } from './bank.js';
import type { At, Details, Place } from './places.js';

/** Target of an input, and the expected first line. */
export interface Pressed {
  readonly place: Place;
  readonly reason?: RegExp;
}

interface Caller {
  readonly bank: Bank;
  readonly phone: string;
  readonly nowMs: number;
}

/** Target of an input from a place; undefined if the place does not accept it. */
type Rule<Here extends At> = (here: Details[Here], input: string, caller: Caller) => Pressed | undefined;

const menus: ReadonlySet<At> = new Set(['preMenu', 'knowMore', 'infoTopic', 'accountMenu', 'openLanguageMenu']);

/** Whether an input in a place may be replayed: it is a menu, before any account, and changes nothing. */
export function isReplayable(place: Place, input: string): boolean {
  const chooses = place.at === 'openLanguageMenu' && ['1', '2', '3'].includes(input);
  return menus.has(place.at) && !chooses;
}

/** One input in one place, by the description of the dialogue. */
export function press(place: Place, input: string, caller: Caller): Pressed {
  if (input === '*') return { place: { at: 'closed' } };
  return follow(place, input, caller) ?? { place, reason: /./ };
}

function follow<Here extends At>(place: Place<Here>, input: string, caller: Caller): Pressed | undefined {
  return rules[place.at](place, input, caller);
}

const pick = (input: string, targets: Readonly<Record<string, Place>>): Pressed | undefined => {
  const place = Object.hasOwn(targets, input) ? targets[input] : undefined;
  return place === undefined ? undefined : { place };
};

const isPin = (input: string) => /^[0-9]{5}$/.test(input);
const isWeak = (pin: string, phone: string) =>
  /^(.)\1+$/.test(pin) || '0123456789'.includes(pin) || '9876543210'.includes(pin) || phone.endsWith(pin);

function afterGuess(guess: Guess, place: Place, next: Place | undefined): Pressed {
  if (guess !== 'right') {
    const reason =
      'attemptsLeft' in guess
        ? new RegExp(`Attempts left: ${guess.attemptsLeft}$`)
        : new RegExp(`Locked .* ${guess.lockedMinutes} min`);
    return { place, reason };
  }
  if (next === undefined) throw new Error('the PIN of an account that is not there was right');
  return { place: next };
}

const rules: { readonly [Here in At]: Rule<Here> } = {
  preMenu: (_, input) =>
    pick(input, {
      0: { at: 'closed' },
      1: { at: 'knowMore' },
      2: { at: 'accountMenu' },
      3: { at: 'openLanguageMenu' },
    }),
  knowMore: (_, input) =>
    input === '1' || input === '2' || input === '3'
      ? { place: { at: 'infoTopic', topic: input } }
      : pick(input, { 0: { at: 'preMenu' } }),
  infoTopic: (_, input) => pick(input, { 0: { at: 'knowMore' }, 1: { at: 'preMenu' } }),
  accountMenu: (_, input) =>
    pick(input, { 0: { at: 'preMenu' }, 1: { at: 'customerIdEntry' }, 2: { at: 'nameEntry' } }),
  nameEntry: (_, input) => {
    const isName = /^[\p{L}\p{M} '.-]{2,100}$/u.test(input);
    return isName ? { place: { at: 'emailEntry', name: input } } : pick(input, { 0: { at: 'accountMenu' } });
  },
  emailEntry: ({ name }, input) => {
    const isAddress = /^[\w.]+@\w+\.\w+$/.test(input);
    if (isAddress) return { place: { at: 'pinEntry', name, email: input } };
    return pick(input, { 0: { at: 'nameEntry' }, '00': { at: 'pinEntry', name, email: '-' } });
  },
  pinEntry: ({ name, email }, input, { phone }) => {
    const isFit = isPin(input) && !isWeak(input, phone);
    return isFit
      ? { place: { at: 'confirmPin', name, email, pin: input } }
      : pick(input, { 0: { at: 'emailEntry', name } });
  },
  confirmPin: ({ name, email, pin }, input, { bank, phone, nowMs }) => {
    const retyped: Place = { at: 'pinEntry', name, email };
    if (input === '0') return { place: retyped };
    if (input !== pin) return { place: retyped, reason: /match/ };
    const account = bank.open({ name, email, phone, pin, openedAtMs: nowMs });
    if (account === undefined) return { place: { at: 'accountMenu' }, reason: /No more new accounts/ };
    return { place: { at: 'accountCreated', account } };
  },
  accountCreated: (_, input) => pick(input, { 1: { at: 'accountMenu' } }),
  customerIdEntry: (_, input) => {
    const isId = /^C[0-9A-Z]{8}$/i.test(input);
    return isId
      ? { place: { at: 'loginPin', id: input.toUpperCase() } }
      : pick(input, { 0: { at: 'accountMenu' }, '00': { at: 'forgottenId' } });
  },
  loginPin: ({ id }, input, { bank, phone, nowMs }) => {
    if (!isPin(input)) return pick(input, { 0: { at: 'customerIdEntry' } });
    const account = bank.find(id);
    const next: Place | undefined = account && { at: 'userMenu', account };
    return afterGuess(bank.guess(id, phone, input, nowMs), { at: 'loginPin', id }, next);
  },
  forgottenId: (_, input, { bank, phone, nowMs }) => {
    if (!isPin(input)) return pick(input, { 0: { at: 'customerIdEntry' } });
    const found = bank.lookUp(phone, input, nowMs);
    return Array.isArray(found)
      ? { place: { at: 'foundIds', accounts: found } }
      : afterGuess(found, { at: 'forgottenId' }, undefined);
  },
  foundIds: (_, input) => pick(input, { 0: { at: 'customerIdEntry' } }),
  userMenu: ({ account }, input) =>
    input === '9'
      ? { place: { at: 'accountMenu' }, reason: /logged out/ }
      : pick(input, {
          1: { at: 'myDetails', account },
          2: { at: 'currentPin', account },
          3: { at: 'languageMenu', account },
        }),
  myDetails: ({ account }, input) => pick(input, { 0: { at: 'userMenu', account } }),
  currentPin: ({ account }, input, { bank, phone, nowMs }) => {
    if (!isPin(input)) return pick(input, { 0: { at: 'userMenu', account } });
    const guess = bank.guess(account.id ?? '', phone, input, nowMs);
    return afterGuess(guess, { at: 'currentPin', account }, { at: 'newPin', account });
  },
  newPin: ({ account }, input, { phone }) => {
    const isFit = isPin(input) && !isWeak(input, phone);
    return isFit
      ? { place: { at: 'confirmNewPin', account, pin: input } }
      : pick(input, { 0: { at: 'userMenu', account } });
  },
  confirmNewPin: ({ account, pin }, input) => {
    if (input === '0') return { place: { at: 'newPin', account } };
    if (input !== pin) return { place: { at: 'newPin', account }, reason: /match/ };
    account.pin = pin;
    return { place: { at: 'userMenu', account }, reason: /PIN is changed/ };
  },
  languageMenu: ({ account }, input) =>
    input === '1'
      ? { place: { at: 'userMenu', account }, reason: /language is changed/ }
      : pick(input, { 0: { at: 'userMenu', account } }),
  openLanguageMenu: (_, input) =>
    input === '1' ? { place: { at: 'preMenu' }, reason: /language is changed/ } : pick(input, { 0: { at: 'preMenu' } }),
  closed: () => undefined,
};
