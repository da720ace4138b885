import { type FormEvent, useId, useState } from 'react';

interface FindFormProps {
  readonly label: string;
  readonly example: string;
  readonly action: string;
  readonly onFind: (id: string) => void;
}

/** A field for an id, and a way to it. */
export function FindForm({ label, example, action, onFind }: FindFormProps) {
  const [text, setText] = useState('');
  const id = useId();
  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() !== '') onFind(text.trim());
  }
  return (
    <form className="find field" onSubmit={onSubmit}>
      <label htmlFor={id}>{label}</label>
      <div className="joined">
        <input
          id={id}
          value={text}
          placeholder={example}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit">{action}</button>
      </div>
    </form>
  );
}
