import { type ReactNode, useId, useState } from 'react';

interface ScrollBoxProps {
  readonly label: string;
  readonly className: string;
  readonly children: ReactNode;
}

/** Something that may be larger than its place. With the focus on it, the arrow keys scroll. */
export function ScrollBox({ label, className, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard alone could not scroll in every browser.
    <section className={`scroll-box ${className}`} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

interface FileButtonProps {
  readonly label: string;
  /** Accepted types, in the form of the `accept` attribute. */
  readonly accept: string;
  readonly isBusy?: boolean;
  readonly onFile: (file: File) => void;
}

/** A button that opens a file dialogue. */
export function FileButton({ label, accept, isBusy = false, onFile }: FileButtonProps) {
  const id = useId();
  return (
    <span className="file-button">
      <input
        id={id}
        className="unseen"
        type="file"
        accept={accept}
        disabled={isBusy}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) onFile(file);
          // The same file can be selected again.
          target.value = '';
        }}
      />
      <label className="button" htmlFor={id}>
        {label}
      </label>
    </span>
  );
}

export function CopyButton({ text, children }: { readonly text: string; readonly children: string }) {
  const [outcome, setOutcome] = useState('');
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('Copied');
    } catch {
      setOutcome('The browser blocked copying. Select the text and copy it.');
    }
  }
  return (
    <>
      <button type="button" className="tight" onClick={() => void copy()}>
        {children}
      </button>
      <span role="status" className="small quiet">
        {outcome}
      </span>
    </>
  );
}
