import { within } from '@mlango/service-kit/within';
import type { ActivePlugin } from './boot-plugins.js';
import { passingOver } from './failure-report.js';
import { inPlugin } from './plugin-scope.js';

/** Closes plugins in the reverse of their start order, one after the other. Never rejects. */
export async function closePlugins(
  started: readonly ActivePlugin[],
  log: { warn(fields: object, text: string): void },
  closeLimitMs = 5_000,
): Promise<void> {
  for (const { name, plugin, boot } of started.toReversed()) {
    const closing = () => inPlugin(name, async () => plugin.close?.(boot));
    await passingOver(
      (err) => log.warn({ err, plugin: name }, 'plugin could not be closed'),
      undefined,
      () => within(closeLimitMs, 'close', closing()),
    );
  }
}
