import { within } from '@mlango/service-kit/within';
import type { ModelFile } from '../models/language-model.js';
import { hookLimitMs } from './around-model.js';
import type { SeenBy } from './contexts.js';
import { passingOver, type ReportFailure } from './failure-report.js';

/** What plugins have read of the files that came with the message. All plugins are asked at the same time. */
export async function messageFiles(seen: readonly SeenBy[], report: ReportFailure): Promise<ModelFile[]> {
  const read = await Promise.all(
    seen.map(({ active: { name, plugin }, context }) =>
      passingOver(
        (error) => report(name, 'getFiles', error),
        [],
        () => within(hookLimitMs, 'getFiles', Promise.resolve(plugin.getFiles?.(context) ?? [])),
      ),
    ),
  );
  return read.flat();
}
