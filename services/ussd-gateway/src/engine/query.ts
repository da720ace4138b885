import type { ChainReader } from './chain-reader.js';
import type { Facts } from './landing.js';

/** What a query may look at. A secret is never among it. */
export interface Asked {
  /** What was typed or found out before, by name. */
  readonly entries: Facts;
  /** What the key itself says. */
  readonly with: Facts;
  readonly language: string;
}

/**
 * An effect that asks the chain something, between two screens. It only reads, so a retry may ask again. When it throws,
 * the user is told that the service is temporarily unavailable, and the session stays on its screen for another try.
 */
export interface Query<Result extends string = string, Fact extends string = string> {
  /** Everything it can find out. Each use of it says where each result leads. */
  readonly results: readonly Result[];
  /** The longest value of each fact it gives. Longer ones are cut, so that what fits at start fits always. */
  readonly longest: Readonly<Record<Fact, string>>;
  readonly ask: (
    asked: Asked,
    chain: ChainReader,
  ) => Promise<{ readonly result: Result; readonly facts?: Readonly<Partial<Record<Fact, string>>> }>;
}
