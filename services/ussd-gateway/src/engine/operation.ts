import type { ChainReader } from './chain-reader.js';
import type { Facts } from './landing.js';

/** Values that facts can have at their longest, by name; several where one is longest in one alphabet and one in another. */
export type Longest = Readonly<Record<string, readonly string[]>>;

interface Declared {
  /** Facts it cannot do without: what was typed or found out before. */
  readonly takes?: readonly string[];
  /** Facts it uses where they are known. */
  readonly mayTake?: readonly string[];
  /** All that can come of it, each with the facts that it gives. */
  readonly results: Readonly<Record<string, Longest>>;
}

/** Changes something outside of the session. It happens once for an input, and its result is told whatever becomes of the session. */
export interface Act extends Declared {
  readonly kind: 'act';
}

/** Has something checked, such as a PIN. Asked again it costs nothing, and nobody misses its result. */
export interface Check extends Declared {
  readonly kind: 'check';
}

/** What a query may look at. A secret is never among it. */
export interface Asked {
  /** What was typed or found out before, by name. */
  readonly entries: Facts;
  /** What the key itself says. */
  readonly with: Facts;
  readonly language: string;
}

/**
 * Asks the chain something, between two screens. It only reads, so a retry may ask again. When it throws, the user is told that the service is
 * temporarily unavailable, and the session stays on its screen for another try.
 */
export interface Query extends Declared {
  readonly kind: 'query';
  readonly ask: (
    asked: Asked,
    chain: ChainReader,
  ) => Promise<{ readonly result: string; readonly facts?: Readonly<Record<string, string | undefined>> }>;
}

/** Something outside of the dialogue that its screens ask for. */
export type Operation = Act | Check | Query;
