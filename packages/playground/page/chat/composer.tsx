import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';

interface ComposerProps {
  readonly onSend: (message: string) => void;
  /** Nothing can be sent just now. */
  readonly isBusy?: boolean;
  /** Whether it takes the focus when it comes: what was pressed to get here is gone. */
  readonly takesFocus?: boolean;
  /** Stands beside the send button. */
  readonly children?: ReactNode;
}

/** A field for a message. Enter sends, with Shift it is a new line. */
export function Composer({ onSend, isBusy = false, takesFocus = false, children }: ComposerProps) {
  const [text, setText] = useState('');
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (takesFocus) field.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  const message = text.trim();

  function send(): void {
    if (message === '' || isBusy) return;
    setText('');
    onSend(message);
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    send();
  }

  function onKeyDown(event: KeyboardEvent): void {
    // While an input method composes a letter, Enter is for it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }

  return (
    <form className="composer" onSubmit={onSubmit}>
      <label className="unseen" htmlFor={id}>
        Message
      </label>
      <textarea
        id={id}
        ref={field}
        rows={2}
        maxLength={32_000}
        placeholder="Write to the oracle"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="row">
        {children}
        <button type="submit" className="primary" disabled={isBusy || message === ''}>
          Send
        </button>
      </div>
    </form>
  );
}
