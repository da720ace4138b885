import { type ReactElement, useRef } from 'react';
import type { IAttachment } from '../../api/attachments.js';
import { useWords } from '../../words/words.js';
import { fileSize, shownName } from '../parts/files.js';
import { Icon, IconButton } from '../parts/icon.js';
import type { PendingFile, Uploads } from './use-uploads.js';

/** A button that opens the file dialog. */
export function FilePicker({ onFiles }: { readonly onFiles: (files: FileList) => void }): ReactElement {
  const { attach } = useWords().composer;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon="clip" name={attach} onPress={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={attach}
        onChange={({ target }) => {
          if (target.files !== null) onFiles(target.files);
          // The same file can be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}

interface FileChipsProps {
  /** Files that the oracle has. */
  readonly attachments: readonly IAttachment[];
  readonly uploads: Uploads;
  readonly onRemove: (attachment: IAttachment) => void;
}

/** The files of an unsent message, with buttons to remove them, and to retry a failed one. */
export function FileChips({ attachments, uploads, onRemove }: FileChipsProps): ReactElement | null {
  const { language, composer: words, message, voice } = useWords();
  const { pending, remove } = uploads;
  if (attachments.length === 0 && pending.length === 0) return null;
  const named = (name: string, size: number) => (
    <>
      <Icon name="file" />
      <span className="mlango-file-name">{shownName(name, voice.note)}</span>
      <span className="mlango-muted">{fileSize(size, language)}</span>
    </>
  );
  const removing = (name: string, onPress: () => void) => (
    <IconButton icon="close" name={words.removeFile(shownName(name, voice.note))} onPress={onPress} />
  );
  return (
    <ul className="mlango-files" aria-label={message.attachments}>
      {attachments.map((file) => (
        <li key={file.attachmentId}>
          {named(file.filename, file.size)}
          {removing(file.filename, () => onRemove(file))}
        </li>
      ))}
      {pending.map((each) => (
        <li key={each.id} className={each.problem === undefined ? undefined : 'mlango-bad'}>
          {named(each.file.name, each.file.size)}
          <Progress pending={each} onRetry={() => uploads.retry(each.id)} />
          {removing(each.file.name, () => remove(each.id))}
        </li>
      ))}
    </ul>
  );
}

/** A second try does not help these. */
const final = new Set<PendingFile['problem']>(['unsupported', 'too_large', 'too_many']);

function Progress({ pending, onRetry }: { readonly pending: PendingFile; readonly onRetry: () => void }) {
  const words = useWords();
  const { file, sent, problem, maxBytes } = pending;
  if (problem === undefined)
    return <progress value={sent} aria-label={words.composer.uploading(shownName(file.name, words.voice.note))} />;
  return (
    <>
      <span role="alert">
        {maxBytes === undefined
          ? words.composer.problems[problem]
          : words.composer.larger(fileSize(maxBytes, words.language))}
      </span>
      {final.has(problem) ? null : (
        <button type="button" className="mlango-copy" onClick={onRetry}>
          {words.message.retry}
        </button>
      )}
    </>
  );
}
