/** The outcome of `work`, or a rejection after `limitMs`. `work` itself continues; its late failure is ignored. */
export function within<T>(limitMs: number, what: string, work: Promise<T>): Promise<T> {
  // One promise on the request path, where Promise.race creates four.
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${what} took longer than ${limitMs} ms`)), limitMs);
    const settle =
      <Outcome>(end: (outcome: Outcome) => void) =>
      (outcome: Outcome) => {
        clearTimeout(timer);
        end(outcome);
      };
    work.then(settle(resolve), settle(reject));
  });
}
