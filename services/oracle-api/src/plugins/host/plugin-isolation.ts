import { AsyncLocalStorage } from 'node:async_hooks';
import { within } from '@mlango/async/within';
import { bundledNames } from '../bundled.js';

const scope = new AsyncLocalStorage<string>();

/**
 * Runs code of a plugin. A later failure of that code (a rejection without a handler, an exception in a timer) is logged with the
 * plugin's name. Bundled plugins are not tracked: on Node 20 tracking makes every promise of the process slower.
 */
export function inPlugin<T>(plugin: string, work: () => T): T {
  return bundledNames.includes(plugin) ? work() : scope.run(plugin, work);
}

/** Copies the members `keys` of a plugin's object; functions among them run as code of the plugin. */
export function scoped<T extends object>(plugin: string, value: T, ...keys: readonly (keyof T)[]): T {
  if (bundledNames.includes(plugin)) return value;
  const members = keys.map((key) => {
    const member: unknown = value[key];
    if (typeof member !== 'function') return [key, member];
    return [key, (...args: unknown[]): unknown => inPlugin(plugin, () => Reflect.apply(member, value, args))];
  });
  return Object.fromEntries(members.filter(([, member]) => member !== undefined)) as T;
}

/** Iterates an async generator of a plugin; each step runs as code of the plugin. */
export async function* iterateInPlugin<T>(plugin: string, open: () => AsyncIterable<T>): AsyncGenerator<T, void> {
  const iterator = inPlugin(plugin, () => open()[Symbol.asyncIterator]());
  let isEnded = false;
  try {
    while (!isEnded) {
      const next = await inPlugin(plugin, () => iterator.next());
      isEnded = next.done === true;
      if (next.done !== true) yield next.value;
    }
  } catch (error) {
    isEnded = true;
    throw error;
  } finally {
    if (!isEnded) await inPlugin(plugin, async () => iterator.return?.());
  }
}

/** Fields for the log line of a failure that ends the process. */
export function failureFields(): { readonly plugin?: string } {
  const plugin = scope.getStore();
  return plugin === undefined ? {} : { plugin };
}

/** Time limit of one hook of a plugin in a turn. */
export const hookLimitMs = 10_000;
/** Time limit of all hooks together after a turn was stopped. */
const stoppedLimitMs = 200;

/** Called for each failed hook of a plugin. */
export type ReportFailure = (plugin: string, where: string, error: unknown) => void;

/** The result of `work`, or `instead` if it fails; failures are reported. Never rejects. */
export async function withFallback<T, Instead>(
  report: (error: unknown) => void,
  instead: Instead,
  work: () => T | Promise<T>,
): Promise<T | Instead> {
  try {
    return await work();
  } catch (error) {
    report(error);
    return instead;
  }
}

/** How hooks of plugins are called in one turn. */
export interface TurnHooks {
  readonly report: ReportFailure;
  /** Resolves when a stopped turn no longer waits for plugins. */
  readonly aborted: Promise<void>;
}

/** Resolves 200 ms after the abort, so that hooks that are almost done can finish. */
export function graceAfterAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const begin = () => setTimeout(resolve, stoppedLimitMs);
    if (signal.aborted) begin();
    else signal.addEventListener('abort', begin, { once: true });
  });
}

/**
 * Calls a hook in a turn. Returns `instead` if the hook fails or times out, which is reported, or if the turn is stopped meanwhile.
 * Never rejects.
 */
export function callTurnHook<T, Instead>(
  hooks: TurnHooks,
  plugin: string,
  where: string,
  instead: Instead,
  work: () => T | Promise<T>,
): Promise<T | Instead> {
  const working = () => inPlugin(plugin, async () => work());
  return withFallback<T | Instead, Instead>(
    (error) => hooks.report(plugin, where, error),
    instead,
    () => within(hookLimitMs, where, Promise.race([working(), hooks.aborted.then(() => instead)])),
  );
}
