import type { ModelFile } from '../models/language-model.js';
import { returnedFiles } from './check-returned.js';
import type { SeenBy } from './contexts.js';
import { type Asking, askedInTurn } from './failure-report.js';

/** What plugins have read of the files that came with the message. All plugins are asked at the same time. */
export async function messageFiles(seen: readonly SeenBy[], asking: Asking): Promise<ModelFile[]> {
  const read = await Promise.all(
    seen
      .filter(({ active }) => active.plugin.getFiles !== undefined)
      .map(({ active: { name, plugin }, context }) =>
        askedInTurn(asking, name, 'getFiles', [], async () => returnedFiles(await plugin.getFiles?.(context))),
      ),
  );
  return read.flat();
}
