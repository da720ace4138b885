/**
 * Reads a source until it ends or the signal aborts. A source that ignores the signal is left behind, not waited for:
 * nothing of it shows after the abort, and its late failure is swallowed.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const iterator = source[Symbol.asyncIterator]();
  let isEnded = false;
  let resolve: (next: IteratorResult<T> | undefined) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  // Made once, and not for each of the many parts of an answer.
  const begin = (onNext: typeof resolve, onFailure: typeof reject) => {
    resolve = onNext;
    reject = onFailure;
  };
  const pass = (next: IteratorResult<T>) => resolve(next);
  const fail = (error: unknown) => reject(error);
  const onAbort = () => resolve(undefined);
  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted) {
      const waiting = new Promise<IteratorResult<T> | undefined>(begin);
      iterator.next().then(pass, fail);
      const next = await waiting;
      if (next === undefined) return;
      if (next.done === true) {
        isEnded = true;
        return;
      }
      yield next.value;
    }
  } catch (error) {
    isEnded = true;
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (!isEnded) iterator.return?.().catch(() => undefined);
  }
}
