import {
  type ChangeEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactElement,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useWords } from '../../words/words.js';
import { mostChars } from '../composer/use-composer.js';
import { GrowingField, isPlainEnter } from '../parts/growing-field.js';

/** A form that rewords a message. Enter saves, Escape cancels. */
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

export interface EditingOptions {
  readonly text: string;
  readonly onUpdate: (text: string) => void;
  readonly onCancel: () => void;
}

/** State of an edited message, without markup. */
export interface EditingParts {
  readonly formProps: { readonly onSubmit: (event: FormEvent) => void };
  /** For the `<textarea>`: Enter saves, Escape cancels. */
  readonly fieldProps: {
    readonly value: string;
    readonly maxLength: number;
    readonly 'aria-label': string;
    readonly onChange: (event: ChangeEvent<HTMLTextAreaElement>) => void;
    readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
  };
  /** There is no change to save. */
  readonly isSame: boolean;
}

export function useEditing({ text, onUpdate, onCancel }: EditingOptions): EditingParts {
  const words = useWords().message;
  const [changed, setChanged] = useState(text);
  const isSame = changed.trim() === '' || changed === text;
  return {
    formProps: {
      onSubmit: (event) => {
        event.preventDefault();
        if (!isSame) onUpdate(changed.trim());
      },
    },
    fieldProps: {
      value: changed,
      maxLength: mostChars,
      'aria-label': words.editing,
      onChange: ({ target }) => setChanged(target.value),
      onKeyDown: (event) => {
        if (isPlainEnter(event)) {
          event.preventDefault();
          if (isSame) onCancel();
          else onUpdate(changed.trim());
        }
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onCancel();
      },
    },
    isSame,
  };
}
