import type { Entry } from './entry.js';
import type { EffectUse, Landing, TextKey } from './landing.js';
import type { Operation } from './operation.js';

export type { EffectUse, Facts, Landing, TextKey } from './landing.js';

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
      readonly choose?: { readonly name: string; readonly value: string };
      readonly reason?: TextKey;
    }
  | { readonly refuse: TextKey }
  | { readonly resumes: true }
  | { readonly looksAgain: true }
  | EffectUse;

/** An entry the user can type. Without a label it works but is not printed. */
export type Option = { readonly key: string; readonly label?: TextKey } & Move;

interface OpenScreen {
  readonly lines: readonly Line[];
  readonly options: readonly Option[];
  /** Entries that every page of the screen prints: the ways back and out. */
  readonly navigation: readonly Option[];
  /** What was typed or found out before and is still known here, by name. Everything else is forgotten on the way in. */
  readonly keeps?: readonly string[];
  /** Seen by a subscriber who is logged in; who enters any other screen is logged in no more. */
  readonly authenticated?: boolean;
}

/** A screen answered by one of the listed keys. It wants no secret, so it may be replayed. */
export interface MenuScreen extends OpenScreen {
  readonly kind: 'menu';
}

/** A screen answered by a text of the user's own, or by one of the listed keys. It is never replayed. */
export interface EntryScreen extends OpenScreen {
  readonly kind: 'entry';
  readonly entry: Entry;
  /** Whether the secret typed on the screen before is held, sealed, for this one to compare with. */
  readonly holdsSecret?: boolean;
}

/** The last screen of a session: a farewell, or a receipt of what was typed and done. */
export interface ClosingScreen {
  readonly kind: 'closing';
  readonly lines: readonly Line[];
  /** As of an open screen: what its lines print. */
  readonly keeps?: readonly string[];
}

export type Screen = MenuScreen | EntryScreen | ClosingScreen;

/** A dialogue: screens by state name, texts by language. `checkFlow` says if it is sound. */
export interface Flow {
  readonly id: string;
  /** Changes with every change of screens that a session in flight could stumble over. */
  readonly version: number;
  /** Differs with every change, of texts too. */
  readonly revision?: string;
  /** The state of a fresh dial. */
  readonly start: string;
  /** The menu that a dial gets after a session was lost; without it every dial begins at the start. */
  readonly resumeOffer?: string;
  /** Why somebody has to type again what a lost session knew: the first line of the screen that it goes on from. */
  readonly interrupted?: TextKey;
  /** The closing screen that `*` leads to from everywhere. */
  readonly exit: string;
  readonly screens: Readonly<Record<string, Screen>>;
  readonly texts: Readonly<Record<string, Texts>>;
  readonly defaultLanguage: string;
  /** What its screens do and ask outside of the dialogue, by name. */
  readonly operations?: Readonly<Record<string, Operation>>;
  /** The menu shown while an act is under way; a flow with acts has one. */
  readonly working?: string;
}

/** Texts the engine itself prints; every language of every flow has them. */
export const engineTexts = { wrongChoice: 'wrongChoice', more: 'more', previous: 'previous' } as const;

/** Keys the engine answers itself, on every screen. */
export const engineKeys = { exit: '*', more: '98', previous: '99' } as const;

/** Every entry of a screen, printed or not. */
export function optionsOf(screen: Screen): readonly Option[] {
  return screen.kind === 'closing' ? [] : [...screen.options, ...screen.navigation];
}

/** Whether a screen is for somebody who is not logged in and has typed no secret before. */
export function isOpenToAll(flow: Flow, state: string): boolean {
  const screen = flow.screens[state];
  if (screen === undefined) return false;
  if (screen.kind === 'closing') return true;
  if (screen.authenticated === true) return false;
  return screen.kind === 'menu' || !(screen.entry.secret || screen.holdsSecret === true);
}

/** Every operation that a screen uses. */
export function effectsOf(screen: Screen): readonly EffectUse[] {
  const used = optionsOf(screen).filter((option) => 'effect' in option);
  return screen.kind === 'entry' && 'effect' in screen.entry.next ? [...used, screen.entry.next] : used;
}

/** Every place that a screen can lead to, apart from the exit, with the reason given there. */
export function landingsOf(screen: Screen): readonly Landing[] {
  const keys = optionsOf(screen).flatMap((option): Landing[] => {
    if ('refuse' in option) return [{ reason: option.refuse }];
    return 'to' in option ? [option] : [];
  });
  const results = effectsOf(screen).flatMap(({ results }) => Object.values(results));
  if (screen.kind !== 'entry') return [...keys, ...results];
  const { refusals, next } = screen.entry;
  return [...keys, ...results, ...Object.values(refusals), ...('to' in next ? [next] : [])];
}
