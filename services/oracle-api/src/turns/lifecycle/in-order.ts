/**
 * Calls of `work` one after the other, in the order in which they were asked for, also where many ask at a time. Work that
 * is done at once gives nothing back, and costs no promise.
 */
export function inOrder<Input>(
  work: (input: Input) => Promise<void> | undefined,
): (input: Input) => Promise<void> | undefined {
  let last: Promise<void> | undefined;
  return (input) => {
    const next = last === undefined ? work(input) : last.then(() => work(input));
    if (next === undefined) return undefined;
    const settled: Promise<void> = next
      .catch(() => undefined)
      .then(() => {
        if (last === settled) last = undefined;
      });
    last = settled;
    return next;
  };
}
