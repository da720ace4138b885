import { type ReactElement, useRef } from 'react';
import { IconButton } from '../icon-button.js';
import { useWords } from '../words/words.js';

/** A button that asks for files. */
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
