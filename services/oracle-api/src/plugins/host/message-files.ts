import type { FilesFrom } from '../../files/file-intake.js';
import type { ModelFile } from '../../models/language-model.js';
import type { StoredAttachment } from '../../store/sessions.js';
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

/** What a plugin has read of other files of the conversation, in their order; where none reads them, their names. */
export async function otherFiles(
  seen: readonly SeenBy[],
  asking: Asking,
  attachments: readonly StoredAttachment[],
  from: FilesFrom,
): Promise<readonly ModelFile[]> {
  if (attachments.length === 0) return [];
  const reader = seen.find(({ active }) => active.plugin.readFiles !== undefined);
  const read = reader && {
    name: reader.active.name,
    files: async () =>
      returnedFiles(await reader.active.plugin.readFiles?.(reader.context, attachments, from), 'readFiles'),
  };
  const files = read === undefined ? [] : await askedInTurn(asking, read.name, 'readFiles', [], read.files);
  return attachments.map(
    ({ filename, mimetype }, place): ModelFile => files[place] ?? { kind: 'named', filename, mediaType: mimetype },
  );
}
