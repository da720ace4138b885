/**
 * Reads a source until it ends or the signal aborts. A source that ignores the signal is left behind, not waited for:
 * nothing of it shows after the abort, and its late failure is swallowed.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const iterator = source[Symbol.asyncIterator]();
  let isEnded = false;
  try {
    while (!signal.aborted) {
      const next = await nextOrAbort(iterator, signal);
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
    if (!isEnded) iterator.return?.().catch(() => undefined);
  }
}

function nextOrAbort<T>(iterator: AsyncIterator<T>, signal: AbortSignal): Promise<IteratorResult<T> | undefined> {
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    iterator
      .next()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}
