const LARGEST_BATCH = 500;

/**
 * Batches the calls of one turn of the event loop, at most 500, into one call of `run` at the end of that turn. A batch never includes a
 * call that was made after `run` started, so each caller sees the state at or after its call.
 */
export function batchPerTick<Item, Result>(
  run: (items: readonly Item[]) => Promise<Result>,
): (item: Item) => Promise<Result> {
  let next: { readonly items: Item[]; readonly result: Promise<Result> } | undefined;
  return (item) => {
    if (next === undefined || next.items.length >= LARGEST_BATCH) {
      const items: Item[] = [];
      const endOfTurn = new Promise<void>((resolve) => setImmediate(resolve));
      const result = endOfTurn.then(() => {
        if (next?.items === items) next = undefined;
        return run(items);
      });
      next = { items, result };
    }
    next.items.push(item);
    return next.result;
  };
}
