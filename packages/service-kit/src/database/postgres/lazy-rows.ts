/** A statement as postgres.js gives it to drizzle: it runs when it is awaited, directly or after `values()`. */
export class LazyRows implements PromiseLike<unknown> {
  readonly #named: () => Promise<unknown>;
  readonly values: () => Promise<unknown>;

  constructor(named: () => Promise<unknown>, values: () => Promise<unknown>) {
    this.#named = named;
    this.values = values;
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement of postgres.js is awaited as well, and runs only then.
  then<A, B>(
    done?: ((rows: unknown) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#named().then(done, failed);
  }

  catch<B>(failed: (error: unknown) => B | PromiseLike<B>): Promise<unknown> {
    return this.#named().catch(failed);
  }
}
