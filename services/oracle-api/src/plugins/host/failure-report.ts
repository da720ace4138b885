import { within } from '@mlango/service-kit/within';
import { inPlugin } from './plugin-scope.js';

/** How long a plugin may hold up a turn at one place before it is passed over. */
export const hookLimitMs = 10_000;
/** How long all of them together may hold up one that was stopped. */
const stoppedLimitMs = 200;

/** Is told of each failure of a plugin that was passed over. */
export type ReportFailure = (plugin: string, where: string, error: unknown) => void;

/** What `work` gives, or `instead` when it fails, which is reported. Never rejects. */
export async function passingOver<T, Instead>(
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

/** How the plugins of one turn are asked. */
export interface Asking {
  readonly report: ReportFailure;
  /** Resolves when the turn was stopped, and waits for no plugin any more (`givenUp`). */
  readonly givenUp: Promise<void>;
}

/** Resolves 200 ms after the signal has aborted: so much is there for what a plugin is about to give, and no more. */
export function givenUp(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const begin = () => setTimeout(resolve, stoppedLimitMs);
    if (signal.aborted) begin();
    else signal.addEventListener('abort', begin, { once: true });
  });
}

/**
 * What a plugin gives at one place of a turn, or `instead` when it fails or takes too long, which is reported, or when the turn
 * was stopped meanwhile. Never rejects.
 */
export function askedInTurn<T, Instead>(
  asking: Asking,
  plugin: string,
  where: string,
  instead: Instead,
  work: () => T | Promise<T>,
): Promise<T | Instead> {
  const working = () => inPlugin(plugin, async () => work());
  return passingOver<T | Instead, Instead>(
    (error) => asking.report(plugin, where, error),
    instead,
    () => within(hookLimitMs, where, Promise.race([working(), asking.givenUp.then(() => instead)])),
  );
}
