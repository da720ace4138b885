/** A text's key in the flow's language files. */
export type TextKey = string;

/** Values that texts may name, such as `appName`. */
export type Facts = Readonly<Record<string, string>>;

/** Where something leads: to a screen, or without `to` to the same one; with a reason, that is its first line. */
export interface Landing {
  readonly to?: string;
  readonly reason?: TextKey | undefined;
}

/** Something to be done or asked outside of the dialogue, such as creating an account, and where each of its results leads. */
export interface EffectUse {
  /** One of the flow's operations. */
  readonly effect: string;
  /** What the key itself says, such as a language. */
  readonly with?: Facts;
  readonly results: Readonly<Record<string, Landing>>;
}
