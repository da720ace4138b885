import type { ReactElement, RefObject, TextareaHTMLAttributes } from 'react';

export interface GrowingFieldProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  readonly fieldRef?: RefObject<HTMLTextAreaElement | null> | undefined;
  readonly value: string;
}

/** A field as high as its text, within limits. */
export function GrowingField({ fieldRef, ...props }: GrowingFieldProps): ReactElement {
  return (
    // The text stands below the field once more, unseen: what grows with it gives the field its height.
    <div className="mlango-field" data-text={props.value}>
      <textarea rows={1} dir="auto" {...props} ref={fieldRef} />
    </div>
  );
}
