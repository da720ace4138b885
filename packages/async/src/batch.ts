import { endOfTurn } from './end-of-turn.js';

export interface BatchOptions {
  /** Most items of one run. */
  readonly limit: number;
  /** A run starts after the run before it has ended, and takes the calls in between. Default: runs are concurrent. */
  readonly isSerial?: boolean;
}

/**
 * Batches the calls of one turn of the event loop into one `run` at the end of that turn. All callers of a batch get its result.
 * A batch never includes a call that was made after its `run` started, so each caller sees the state at or after its call.
 */
export function batched<Item, Result>(
  run: (items: readonly Item[]) => Promise<Result>,
  { limit, isSerial = false }: BatchOptions,
): (item: Item) => Promise<Result> {
  let open: { readonly items: Item[]; readonly result: Promise<Result> } | undefined;
  let previous: Promise<unknown> = Promise.resolve();
  return (item) => {
    if (open === undefined || open.items.length >= limit) {
      const items: Item[] = [];
      const result = Promise.all([isSerial ? previous : undefined, endOfTurn()]).then(() => {
        if (open?.items === items) open = undefined;
        return run(items);
      });
      previous = result.catch(() => {});
      open = { items, result };
    }
    open.items.push(item);
    return open.result;
  };
}
