/**
 * Reads a source until it ends or the signal aborts. A source that ignores the signal is left behind, not waited for:
 * nothing of it shows after the abort, and its late failure is swallowed.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const iterator = source[Symbol.asyncIterator]();
  let isEnded = false;
  let leave: () => void = () => undefined;
  const onAbort = () => leave();
  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted) {
      const next = await new Promise<IteratorResult<T> | undefined>((resolve, reject) => {
        leave = () => resolve(undefined);
        iterator.next().then(resolve, reject);
      });
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
