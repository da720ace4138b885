import { type FormEvent, useState } from 'react';

interface NewMemoryFormProps {
  readonly isBusy: boolean;
  readonly onRemember: (content: string) => Promise<void>;
}

export function NewMemoryForm({ isBusy, onRemember }: NewMemoryFormProps) {
  const [text, setText] = useState('');
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (text.trim() === '') return;
    await onRemember(text.trim());
    setText('');
  }
  return (
    <form className="field" onSubmit={(event) => void submit(event)}>
      <label htmlFor="new-memory">Remember this</label>
      <div className="joined">
        <input
          id="new-memory"
          value={text}
          maxLength={20_000}
          placeholder="My goat is called Zuri"
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit" className="primary" disabled={isBusy}>
          Remember
        </button>
      </div>
    </form>
  );
}
