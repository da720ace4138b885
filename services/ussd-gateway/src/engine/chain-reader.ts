import type { ZodType } from 'zod';

export interface ChainQuestion<Answer> {
  /** Segments of a path of the query gateway. Each is escaped: what a user typed stays one segment. */
  readonly path: readonly string[];
  /** What the reply must look like, and what is taken from it. */
  readonly answer: ZodType<Answer>;
}

/** Asks the chain, by way of the query gateway. */
export interface ChainReader {
  /**
   * One question, limited in time and size.
   *
   * @returns the answer; undefined when the chain has nothing of that name.
   * @throws {ServiceError} `unavailable` when the gateway or the chain is away, late, or has no such path;
   *   `internal` when the reply is not what was asked for.
   */
  read<Answer>(question: ChainQuestion<Answer>): Promise<Answer | undefined>;
}
