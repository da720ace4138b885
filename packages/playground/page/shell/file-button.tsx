import { useId } from 'react';

interface FileButtonProps {
  readonly label: string;
  /** As `accept` of an input has it. */
  readonly accept: string;
  readonly isBusy?: boolean;
  readonly onFile: (file: File) => void;
}

/** A button that lets one choose a file. */
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
          // The same file can be chosen again.
          target.value = '';
        }}
      />
      <label className="button" htmlFor={id}>
        {label}
      </label>
    </span>
  );
}
