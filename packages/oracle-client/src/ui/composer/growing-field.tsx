import { type KeyboardEvent, type ReactElement, type RefObject, useId } from 'react';
import { isPlainEnter } from './is-plain-enter.js';

export interface GrowingFieldProps {
  readonly fieldRef?: RefObject<HTMLTextAreaElement | null> | undefined;
  readonly label: string;
  readonly placeholder?: string;
  /** Default: as many as the longest message that oracles take has. */
  readonly maxChars?: number;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onEnter: () => void;
  /** Other keys. */
  readonly onKeyDown?: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
}

/** A field as high as its text, within limits. Enter is an event, with Shift it is a new line. */
export function GrowingField(props: GrowingFieldProps): ReactElement {
  const { fieldRef, label, placeholder, maxChars = 32_000, value, onChange, onEnter, onKeyDown } = props;
  const id = useId();
  return (
    // The text stands below the field once more, unseen: what grows with it gives the field its height.
    <div className="mlango-field" data-text={value}>
      <label className="mlango-unseen" htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        ref={fieldRef}
        rows={1}
        dir="auto"
        maxLength={maxChars}
        placeholder={placeholder}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={(event) => {
          if (!isPlainEnter(event)) return onKeyDown?.(event);
          event.preventDefault();
          return onEnter();
        }}
      />
    </div>
  );
}
