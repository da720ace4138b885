import { type ReactElement, useEffect, useRef } from 'react';
import { GrowingField } from '../composer/growing-field.js';
import { useWords } from '../words/words.js';
import { type EditingOptions, useEditing } from './use-editing.js';

/** A message in other words. Enter takes them, Escape goes back. */
export function EditForm({ text, onUpdate, onCancel }: EditingOptions): ReactElement {
  const words = useWords().message;
  const { formProps, fieldProps, isSame } = useEditing({ text, onUpdate, onCancel });
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(-1, -1);
  }, []);
  return (
    <form className="mlango-edit" {...formProps}>
      <GrowingField {...fieldProps} fieldRef={field} />
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
