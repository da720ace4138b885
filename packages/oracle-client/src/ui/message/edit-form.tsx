import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { GrowingField } from '../composer/growing-field.js';
import { useWords } from '../words/words.js';

interface EditFormProps {
  readonly text: string;
  readonly onUpdate: (text: string) => void;
  readonly onCancel: () => void;
}

/** A message in other words. Enter takes them, Escape goes back. */
export function EditForm({ text, onUpdate, onCancel }: EditFormProps): ReactElement {
  const words = useWords().message;
  const [changed, setChanged] = useState(text);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(-1, -1);
  }, []);
  const isSame = changed.trim() === '' || changed === text;

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onCancel();
  }

  return (
    <form
      className="mlango-edit"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSame) onUpdate(changed.trim());
      }}
    >
      <GrowingField
        fieldRef={field}
        label={words.editing}
        value={changed}
        onChange={setChanged}
        onEnter={() => (isSame ? onCancel() : onUpdate(changed.trim()))}
        onKeyDown={onKeyDown}
      />
      <div className="mlango-row">
        <button type="button" className="mlango-button" onClick={onCancel}>
          {words.cancel}
        </button>
        <button type="submit" className="mlango-button mlango-primary" disabled={isSame}>
          {words.update}
        </button>
      </div>
    </form>
  );
}
