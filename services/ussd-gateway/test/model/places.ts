import type { Account } from './bank.js';

interface LoggedIn {
  readonly account: Account;
}

interface Draft {
  readonly name: string;
  readonly email: string;
}

/** Inputs of the subscriber on the way to each place. */
export interface Details {
  readonly preMenu: object;
  readonly knowMore: object;
  readonly infoTopic: { readonly topic: '1' | '2' | '3' };
  readonly accountMenu: object;
  readonly nameEntry: object;
  readonly emailEntry: { readonly name: string };
  readonly pinEntry: Draft;
  readonly confirmPin: Draft & { readonly pin: string };
  readonly accountCreated: LoggedIn;
  readonly customerIdEntry: object;
  readonly loginPin: { readonly id: string };
  readonly userMenu: LoggedIn;
  readonly myDetails: LoggedIn;
  readonly currentPin: LoggedIn;
  readonly newPin: LoggedIn;
  readonly confirmNewPin: LoggedIn & { readonly pin: string };
  readonly languageMenu: LoggedIn;
  readonly openLanguageMenu: object;
  readonly forgottenId: object;
  readonly foundIds: { readonly accounts: readonly Account[] };
  readonly closed: object;
}

export type At = keyof Details;

/** Position of a subscriber, in a dialogue or at its end. */
export type Place<Here extends At = At> = { [Each in Here]: { readonly at: Each } & Details[Each] }[Here];
