/** Something that is kept of a user, as they may take it along: JSON, without secrets. */
export interface OwnRow {
  /** Words of `a-z`, `0-9` and `-`. Rows of a kind come one after the other. */
  readonly kind: string;
  readonly row: Readonly<Record<string, unknown>>;
}

/** What stays when a user's data are deleted, and why that has to be. */
export interface KeptRows {
  readonly kind: string;
  /** Absent where it is not known. */
  readonly count?: number;
  /** For the user. */
  readonly why: string;
}

/** What became of a user's data. */
export interface ForgottenRows {
  /** Rows that are gone, by kind. */
  readonly deleted: Readonly<Record<string, number>>;
  readonly kept?: readonly KeptRows[];
}
