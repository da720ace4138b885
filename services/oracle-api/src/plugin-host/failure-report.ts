import { within } from '@mlango/service-kit/within';

/** How long a plugin may hold up a turn at one place before it is passed over. */
export const hookLimitMs = 10_000;

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

/** What a plugin gives at one place of a turn, or `instead` when it fails or takes too long, which is reported. Never rejects. */
export function askedInTurn<T, Instead>(
  report: ReportFailure,
  plugin: string,
  where: string,
  instead: Instead,
  work: () => T | Promise<T>,
): Promise<T | Instead> {
  const working = async () => work();
  return passingOver(
    (error) => report(plugin, where, error),
    instead,
    () => within(hookLimitMs, where, working()),
  );
}
