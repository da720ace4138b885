import type { KeyboardEvent, ReactElement, RefObject, TextareaHTMLAttributes } from 'react';

export interface GrowingFieldProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  readonly fieldRef?: RefObject<HTMLTextAreaElement | null> | undefined;
  readonly value: string;
}

/** A field as high as its text, within limits. */
export function GrowingField({ fieldRef, ...props }: GrowingFieldProps): ReactElement {
  return (
    // A hidden copy of the text below the field: its height sets the height of the field.
    <div className="mlango-field" data-text={props.value}>
      <textarea rows={1} dir="auto" {...props} ref={fieldRef} />
    </div>
  );
}

/** Enter as a command: without Shift, and not while an input method composes a letter, when it is for that. */
export function isPlainEnter({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !nativeEvent.isComposing;
}
