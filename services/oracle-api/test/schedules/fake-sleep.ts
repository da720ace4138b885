/** `setTimeout` of `node:timers/promises` with the clock of the test, because that module ignores fake timers. */
export function setTimeout<Value>(
  delayMs: number,
  value?: Value,
  { signal }: { signal?: AbortSignal; ref?: boolean } = {},
): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const timer = globalThis.setTimeout(() => resolve(value), delayMs);
    const end = () => {
      clearTimeout(timer);
      reject(new Error('the sleep was ended', { cause: signal?.reason }));
    };
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}

/** Independent of the clock. */
export function setImmediate(): Promise<void> {
  return new Promise((resolve) => void globalThis.setImmediate(resolve));
}
