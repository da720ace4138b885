import type { Call, ChainReader, DeclaredList, Lists } from './declarations.js';
import type { OpeningHours } from './opening-hours.js';

/** A text's key in the flow's language files. */
export type TextKey = string;

/** Values that texts may name, such as `appName`. */
export type Facts = Readonly<Record<string, string>>;

/** Where something leads: to a screen, or without `to` to the same one; with a reason, that is its first line. */
export interface Landing {
  readonly to?: string | undefined;
  readonly reason?: TextKey | undefined;
  /** The operation whose message an outcome brings about, whatever becomes of the session. */
  readonly message?: string | undefined;
}

/** Something to be done or asked outside of the dialogue, such as creating an account, and where each of its results leads. */
export interface EffectUse {
  /** One of the flow's operations. */
  readonly effect: string;
  /** What the key itself says, such as a language. */
  readonly with?: Facts | undefined;
  readonly results: Readonly<Record<string, Landing>>;
}

/** What an entry rule may look at besides the text itself. */
export interface EntryContext {
  /** The facts of the session, what was typed before among them. */
  readonly facts: Facts;
  /** The secret of the screen before, where the screen holds one. */
  readonly held: string | undefined;
  /** The language of the session, such as `fr`. */
  readonly language: string;
}

/** Says whether a text is what was asked for. Pure. */
export interface EntryRule {
  /** The names of all the ways in which it refuses. */
  readonly refusals: readonly string[];
  /** The value in the form in which it is kept, or why it is refused. */
  readonly read: (typed: string, context: EntryContext) => { readonly value: string } | { readonly refusal: string };
}

/** The text that a screen asks for. */
export interface Entry {
  /** The value is known under this name, unless it is secret. */
  readonly name: string;
  /** A secret is never kept: it goes to the effect, or is held sealed for the next screen alone. */
  readonly secret: boolean;
  readonly rule: EntryRule;
  /** The longest values that it takes; of a secret none, since nothing prints it. */
  readonly longest: readonly string[];
  /** Where each refusal of the rule leads. */
  readonly refusals: Readonly<Record<string, Landing>>;
  readonly next: { readonly to: string } | EffectUse;
}

/** Values that facts can have at their longest, by name; several where one is longest in one alphabet and one in another. */
export type Longest = Readonly<Record<string, readonly string[]>>;

interface Declared {
  /** Facts it cannot do without: what was typed or found out before. */
  readonly takes?: readonly string[];
  /** Facts it uses where they are known. */
  readonly mayTake?: readonly string[];
  /** All that can come of it, each with the facts that it gives. */
  readonly results: Readonly<Record<string, Longest>>;
  /** The list that a result gives in addition to its facts, by result. */
  readonly lists?: Readonly<Record<string, DeclaredList>> | undefined;
  /** Facts of its results that screens may print, and that go to no webhook and into no message. */
  readonly secretFacts?: readonly string[];
  /** Whom it is handed to, where that is a webhook. */
  readonly call?: Call | undefined;
}

/** Changes something outside of the session. It happens once for an input, and its result is told whatever becomes of the session. */
export interface Act extends Declared {
  readonly kind: 'act';
  /** What it sends as a message, and how many parts of one that may take. */
  readonly message?: { readonly text: TextKey; readonly segments: number };
}

/** Has something checked, such as a PIN. Asked again it costs nothing, and nobody misses its result. */
export interface Check extends Declared {
  readonly kind: 'check';
}

/** What somebody outside of the dialogue is told of what is asked. A secret is never among it. */
export interface Asked {
  /** The same at every try of what one input asked for. */
  readonly key: string;
  /** The id of the flow, and the state it is asked on. */
  readonly flow: string;
  readonly screen: string;
  /** E.164. */
  readonly phoneNumber: string;
  /** What was typed or found out before, by name. */
  readonly entries: Facts;
  /** What the key itself says. */
  readonly with: Facts;
  readonly language: string;
}

export interface Found {
  readonly result: string;
  readonly facts?: Readonly<Record<string, string | undefined>> | undefined;
  /** As `readList` gives them. */
  readonly lists?: Lists | undefined;
}

/** Whom a query may ask. */
export interface Sources {
  readonly chain: ChainReader;
  readonly webhooks: {
    /** One try, within the time of a hop. Never rejects: what cannot be used is a result of its own. */
    ask(call: Call, asked: Asked): Promise<Found>;
  };
}

/**
 * Asks something, between two screens. It only reads, so a retry may ask again. When it throws, the user is told that the service is
 * temporarily unavailable, and the session stays on its screen for another try.
 */
export interface Query extends Declared {
  readonly kind: 'query';
  readonly ask: (asked: Asked, sources: Sources) => Promise<Found>;
}

/** Something outside of the dialogue that its screens ask for. */
export type Operation = Act | Check | Query;

/** Texts of one language. `{name}` in a text is filled with the fact of that name. */
export type Texts = Readonly<Record<TextKey, string>>;

/** What the user chose on the way, by name; each value is one the flow lists. */
export type Choices = Readonly<Record<string, string>>;

/** One text, or the one that belongs to an earlier choice. */
export type Line = TextKey | { readonly chosenBy: string; readonly texts: Readonly<Record<string, TextKey>> };

/**
 * What a key press does: go to a screen, perhaps remembering a choice; stay and say why; go on where a lost session
 * was; look again at an effect that is under way; or have one.
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

/** An entry the user can type. Without a label it works but is not printed. */
export type Option = {
  readonly key: string;
  readonly label?: TextKey | undefined;
  /** Outside of them the screen is repeated with a reason. */
  readonly hours?: OpeningHours | undefined;
} & Move;

/** Options of a screen that are the items of a list: their keys are 1, 2, …, and the fields of the chosen item are facts. */
export type ListOptions = {
  /** The name of a list that an operation gave. */
  readonly from: string;
  /** Printed for each item, with its fields as facts. */
  readonly label: TextKey;
} & ({ readonly to: string; readonly reason?: TextKey | undefined } | EffectUse);

interface OpenScreen {
  readonly lines: readonly Line[];
  readonly options: readonly Option[];
  /** Entries that every page of the screen prints: the ways back and out. */
  readonly navigation: readonly Option[];
  /** The facts and lists that were typed or found out before and are still known here, by name. Everything else is forgotten on the way in. */
  readonly keeps?: readonly string[] | undefined;
  /** Seen by a subscriber who is logged in; who enters any other screen is logged in no more. */
  readonly authenticated?: boolean | undefined;
}

/** A screen answered by one of the listed keys. It wants no secret, so it may be replayed. */
export interface MenuScreen extends OpenScreen {
  readonly kind: 'menu';
  /** Printed after the options. */
  readonly list?: ListOptions | undefined;
}

/** A screen answered by a text of the user's own, or by one of the listed keys. It is never replayed. */
export interface EntryScreen extends OpenScreen {
  readonly kind: 'entry';
  readonly entry: Entry;
  /** Whether the secret typed on the screen before is held, sealed, for this one to compare with. */
  readonly holdsSecret?: boolean | undefined;
}

/** The last screen of a session: a farewell, or a receipt of what was typed and done. */
export interface ClosingScreen {
  readonly kind: 'closing';
  readonly lines: readonly Line[];
  /** As of an open screen: what its lines print. */
  readonly keeps?: readonly string[] | undefined;
}

export type Screen = MenuScreen | EntryScreen | ClosingScreen;

/** A dialogue: screens by state name, texts by language. `findProblems` says if it is sound. */
export interface Flow {
  readonly id: string;
  /** Changes with every change of screens that a session in flight could stumble over. */
  readonly version: number;
  /** Differs with every change, of texts too. */
  readonly revision?: string;
  /** The state of a fresh dial. */
  readonly start: string;
  /** The menu that a dial gets after a session was lost; without it every dial begins at the start. */
  readonly resumeOffer?: string | undefined;
  /** Why somebody has to type again what a lost session knew: the first line of the screen that it goes on from. */
  readonly interrupted?: TextKey | undefined;
  /** The closing screen that `*` leads to from everywhere. */
  readonly exit: string;
  readonly screens: Readonly<Record<string, Screen>>;
  readonly texts: Readonly<Record<string, Texts>>;
  readonly defaultLanguage: string;
  /** What its screens do and ask outside of the dialogue, by name. */
  readonly operations?: Readonly<Record<string, Operation>>;
  /** The menu shown while an act is under way; a flow with acts has one. */
  readonly working?: string | undefined;
}

/** A record without inherited properties: a name that a flow does not define, such as `toString`, is undefined in it. */
export function byName<Value>(entries: Iterable<readonly [string, Value]>): Readonly<Record<string, Value>> {
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}

/** Texts the engine itself prints; every language of every flow has them. */
export const engineTexts = { wrongChoice: 'wrongChoice', more: 'more', previous: 'previous' } as const;

/** Keys the engine answers itself, on every screen. */
export const engineKeys = { exit: '*', more: '98', previous: '99' } as const;
