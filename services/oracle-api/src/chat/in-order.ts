/** Calls of `work` one after the other, in the order in which they were asked for, also where many ask at a time. */
export function inOrder<Input>(work: (input: Input) => Promise<void>): (input: Input) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (input) => {
    const next = last.then(() => work(input));
    last = next.catch(() => undefined);
    return next;
  };
}
