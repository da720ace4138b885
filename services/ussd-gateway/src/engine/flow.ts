/** A text's key in the flow's language files. */
export type TextKey = string;

/** Texts of one language. `{name}` in a text is filled with the fact of that name. */
export type Texts = Readonly<Record<TextKey, string>>;

/** Values that texts may name, such as `appName`. */
export type Facts = Readonly<Record<string, string>>;

/** What the user chose on the way, by name; each value is one the flow lists. */
export type Choices = Readonly<Record<string, string>>;

/** One text, or the one that belongs to an earlier choice. */
export type Line = TextKey | { readonly chosenBy: string; readonly texts: Readonly<Record<string, TextKey>> };

/** What a key press does: go to a screen, perhaps remembering a choice, or stay and say why. */
export type Move =
  | { readonly to: string; readonly choose?: { readonly name: string; readonly value: string } }
  | { readonly refuse: TextKey };

/** An entry the user can type. Without a label it works but is not printed. */
export type Option = { readonly key: string; readonly label?: TextKey } & Move;

/** A screen answered by one of the listed keys. It wants no secret and has no effect, so it may be replayed. */
export interface MenuScreen {
  readonly kind: 'menu';
  readonly lines: readonly Line[];
  readonly options: readonly Option[];
  /** Entries that every page of the screen prints: the ways back and out. */
  readonly navigation: readonly Option[];
}

/** The last screen of a session. */
export interface ClosingScreen {
  readonly kind: 'closing';
  readonly lines: readonly Line[];
}

export type Screen = MenuScreen | ClosingScreen;

/** A dialogue: screens by state name, texts by language. Pure data; `checkFlow` says whether it holds together. */
export interface Flow {
  readonly id: string;
  /** Changes with every change of screens that a session in flight could stumble over. */
  readonly version: number;
  /** The state of a fresh dial. */
  readonly start: string;
  /** The closing screen that `*` leads to from everywhere. */
  readonly exit: string;
  readonly screens: Readonly<Record<string, Screen>>;
  readonly texts: Readonly<Record<string, Texts>>;
  readonly defaultLanguage: string;
}

/** Texts the engine itself prints; every language of every flow has them. */
export const engineTexts = { wrongChoice: 'wrongChoice', more: 'more', previous: 'previous' } as const;

/** Keys the engine answers itself, on every screen. */
export const engineKeys = { exit: '*', more: '98', previous: '99' } as const;

/** Every entry of a screen, printed or not. */
export function optionsOf(screen: Screen): readonly Option[] {
  return screen.kind === 'menu' ? [...screen.options, ...screen.navigation] : [];
}
