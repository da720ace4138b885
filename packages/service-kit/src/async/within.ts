/** The outcome of `work`, or a rejection once `limitMs` have passed. `work` itself goes on; its late failure is swallowed. */
export function within<T>(limitMs: number, what: string, work: Promise<T>): Promise<T> {
  // One promise: requests wait so for their stores, and a race makes four.
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
