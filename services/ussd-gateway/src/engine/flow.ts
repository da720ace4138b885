import type { Call, ChainReader, DeclaredList, Lists } from './declarations.js';
import type { OpeningHours } from './opening-hours.js';

/** Key of a text in the language files of the flow. */
export type TextKey = string;

/** Values that texts may name, such as `appName`. */
export type Facts = Readonly<Record<string, string>>;

/** Target of a transition: a screen, or the same one without `to`; the reason is its first line. */
export interface Landing {
  readonly to?: string | undefined;
  readonly reason?: TextKey | undefined;
  /** Message operation started by an outcome, independent of the session. */
  readonly message?: string | undefined;
}

/** Use of an operation outside of the flow, such as creating an account, with the target of each result. */
export interface EffectUse {
  /** One of the flow's operations. */
  readonly effect: string;
  /** Values set by the key, such as a language. */
  readonly with?: Facts | undefined;
  readonly results: Readonly<Record<string, Landing>>;
}

/** Context of an entry rule, besides the text itself. */
export interface EntryContext {
  /** Facts of the session, including typed values. */
  readonly facts: Facts;
  /** Secret of the previous screen, if the screen holds one. */
  readonly held: string | undefined;
  /** Language of the session, such as `fr`. */
  readonly language: string;
}

/** Validates a typed text. Pure. */
export interface EntryRule {
  /** Names of all refusal reasons. */
  readonly refusals: readonly string[];
  /** The normalized value, or the reason why it is refused. */
  readonly read: (typed: string, context: EntryContext) => { readonly value: string } | { readonly refusal: string };
}

/** Text that a screen requests. */
export interface Entry {
  /** Name of the value as a fact, unless it is secret. */
  readonly name: string;
  /** A secret is never stored as a fact: it goes to the effect, or is held sealed for the next screen only. */
  readonly secret: boolean;
  readonly rule: EntryRule;
  /** Longest accepted values; none for a secret, which is never printed. */
  readonly longest: readonly string[];
  /** Target of each refusal of the rule. */
  readonly refusals: Readonly<Record<string, Landing>>;
  readonly next: { readonly to: string } | EffectUse;
}

/** Longest values of facts, by name; several if they differ by alphabet. */
export type Longest = Readonly<Record<string, readonly string[]>>;

interface Declared {
  /** Required facts, typed or found out before. */
  readonly takes?: readonly string[];
  /** Optional facts. */
  readonly mayTake?: readonly string[];
  /** Inputs besides facts: a logged-in subscriber, and the secret typed on the screen. */
  readonly needs?: readonly ('account' | 'secret')[];
  /** All possible results, each with its facts. */
  readonly results: Readonly<Record<string, Longest>>;
  /** The list that a result returns in addition to its facts, by result. */
  readonly lists?: Readonly<Record<string, DeclaredList>> | undefined;
  /** Facts of its results that screens may print, but that go to no webhook and into no message. */
  readonly secretFacts?: readonly string[];
  /** Declaration of the webhook call, if the operation is one. */
  readonly call?: Call | undefined;
}

/**
 * Changes state outside of the session. Runs once per input. If the session ends first, the next dial shows the outcome, so the target of
 * each result is a public screen or has a reason.
 */
export interface Act extends Declared {
  readonly kind: 'act';
  /** Text of the message and the most parts it may take. */
  readonly message?: { readonly text: TextKey; readonly segments: number };
}

/** Checks a value, such as a PIN. A repeated check has no cost, and its result is not needed after the session. */
export interface Check extends Declared {
  readonly kind: 'check';
}

/** Request data sent to an external system. Never contains a secret. */
export interface QueryRequest {
  /** The same at every attempt for one input. */
  readonly key: string;
  /** Id of the flow, and the state of the request. */
  readonly flow: string;
  readonly screen: string;
  /** E.164. */
  readonly phoneNumber: string;
  /** Values typed or found out before, by name. */
  readonly entries: Facts;
  /** Values set by the key. */
  readonly with: Facts;
  readonly language: string;
}

export interface QueryResult {
  readonly result: string;
  readonly facts?: Readonly<Record<string, string | undefined>> | undefined;
  /** Result of `readList`. */
  readonly lists?: Lists | undefined;
}

/** External systems that a query can use. */
export interface Sources {
  readonly chain: ChainReader;
  readonly webhooks: {
    /** One attempt, within the time of a hop. Never rejects: an unusable response is a result. */
    query(call: Call, request: QueryRequest): Promise<QueryResult>;
  };
}

/**
 * Reads from an external system between two screens; a retry may repeat it. If it throws, the user sees that the
 * service is temporarily unavailable, and the session stays on its screen.
 */
export interface Query extends Declared {
  readonly kind: 'query';
  readonly run: (request: QueryRequest, sources: Sources) => Promise<QueryResult>;
}

/** An operation outside of the flow. */
export type Operation = Act | Check | Query;

/** Texts of one language. `{name}` in a text is replaced by the fact of that name. */
export type Texts = Readonly<Record<TextKey, string>>;

/** Choices of the user, by name; each value is listed in the flow. */
export type Choices = Readonly<Record<string, string>>;

/** One text, or one selected by an earlier choice. */
export type Line = TextKey | { readonly chosenBy: string; readonly texts: Readonly<Record<string, TextKey>> };

/**
 * Action of a key: go to a screen, optionally storing a choice; stay with a reason; resume a lost session; poll a
 * pending effect; or start one.
 */
export type Move =
  | {
      readonly to: string;
      readonly choose?: { readonly name: string; readonly value: string } | undefined;
      readonly reason?: TextKey | undefined;
    }
  | { readonly refuse: TextKey }
  | { readonly resumes: true }
  | { readonly looksAgain: true }
  | EffectUse;

/** Entry that the user can type. Without a label it works but is not printed. */
export type Option = {
  readonly key: string;
  readonly label?: TextKey | undefined;
  /** Outside of these hours the screen is repeated with a reason. */
  readonly hours?: OpeningHours | undefined;
} & Move;

/** Options that are the items of a list: their keys are 1, 2, …, and the fields of the chosen item become facts. */
export type ListOptions = {
  /** Name of a list returned by an operation. */
  readonly from: string;
  /** Printed for each item, with its fields as facts. */
  readonly label: TextKey;
} & ({ readonly to: string; readonly reason?: TextKey | undefined } | EffectUse);

interface OpenScreen {
  readonly lines: readonly Line[];
  readonly options: readonly Option[];
  /** Entries printed on every page of the screen: back and exit. */
  readonly navigation: readonly Option[];
  /** Facts and lists, by name, that stay available on this screen. All others are dropped on entering it. */
  readonly carries?: readonly string[] | undefined;
  /** Visible to a logged-in subscriber only; entering any other screen logs out. */
  readonly authenticated?: boolean | undefined;
}

/** Screen answered by one of the listed keys. It requests no secret, so it can be replayed. */
export interface MenuScreen extends OpenScreen {
  readonly kind: 'menu';
  /** Printed after the options. */
  readonly list?: ListOptions | undefined;
}

/** Screen answered by a typed text or by one of the listed keys. Never replayed. */
export interface EntryScreen extends OpenScreen {
  readonly kind: 'entry';
  readonly entry: Entry;
  /** Whether the secret typed on the previous screen is held, sealed, for this screen to compare with. */
  readonly holdsSecret?: boolean | undefined;
}

/** Last screen of a session: a farewell, or a receipt of the session. */
export interface ClosingScreen {
  readonly kind: 'closing';
  readonly lines: readonly Line[];
  /** As for an open screen: the facts that its lines print. */
  readonly carries?: readonly string[] | undefined;
}

export type Screen = MenuScreen | EntryScreen | ClosingScreen;

/** A flow: screens by state name, texts by language. `findProblems` validates it. */
export interface Flow {
  readonly id: string;
  /** Incremented with every change of screens that could break a running session. */
  readonly version: number;
  /** Differs with every change, including texts. */
  readonly revision?: string;
  /** State of a new dial. */
  readonly start: string;
  /** Menu shown by a dial after a lost session; without it every dial begins at the start. */
  readonly resumeOffer?: string | undefined;
  /** First line of the screen on which a lost session resumes if values have to be typed again. */
  readonly interrupted?: TextKey | undefined;
  /** Closing screen that `*` leads to from every screen. */
  readonly exit: string;
  readonly screens: Readonly<Record<string, Screen>>;
  readonly texts: Readonly<Record<string, Texts>>;
  readonly defaultLanguage: string;
  /** Operations that its screens use, by name. */
  readonly operations?: Readonly<Record<string, Operation>>;
  /** Menu shown while an act is pending; required for a flow with acts. */
  readonly working?: string | undefined;
}

/** A record without inherited properties: a name that the flow does not define, such as `toString`, is undefined. */
export function byName<Value>(entries: Iterable<readonly [string, Value]>): Readonly<Record<string, Value>> {
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}

/** Texts that the engine prints; every language of every flow has them. */
export const engineTexts = { wrongChoice: 'wrongChoice', more: 'more', previous: 'previous' } as const;

/** Keys that the engine handles on every screen. `0` for back is an option of each screen (`flows/build-flow.ts`). */
export const engineKeys = { exit: '*', more: '98', previous: '99' } as const;
