import { AsyncLocalStorage } from 'node:async_hooks';
import { bundledNames } from '../bundled.js';

const scope = new AsyncLocalStorage<string>();

/**
 * Runs code of a plugin, so that a failure which that code leaves behind (a rejection without a handler, an exception in a timer) is
 * logged with the plugin's name. Bundled plugins are not tracked: on Node 20 tracking makes every promise of the process slower.
 */
export function inPlugin<T>(plugin: string, work: () => T): T {
  return bundledNames.includes(plugin) ? work() : scope.run(plugin, work);
}

/** The members `keys` of an object of a plugin, of which the functions run as code of the plugin. */
export function scoped<T extends object>(plugin: string, value: T, ...keys: readonly (keyof T)[]): T {
  if (bundledNames.includes(plugin)) return value;
  const members = keys.map((key) => {
    const member: unknown = value[key];
    if (typeof member !== 'function') return [key, member];
    return [key, (...args: unknown[]): unknown => inPlugin(plugin, () => Reflect.apply(member, value, args))];
  });
  return Object.fromEntries(members.filter(([, member]) => member !== undefined)) as T;
}

/** Iterates an async generator of a plugin, whose code runs at each step. */
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
