import { type FormEvent, useState } from 'react';
import { hrefOf } from '../shell/route.js';

/** The search form; the search text is part of the address, so that Back and shared links keep it. */
export function SearchForm({ query }: { readonly query: string }) {
  const [text, setText] = useState(query);
  function submit(event: FormEvent): void {
    event.preventDefault();
    const words = text.trim();
    window.location.hash =
      hrefOf('account', 'memory') + (words === '' ? '' : `?${new URLSearchParams({ query: words }).toString()}`);
  }
  return (
    <search className="memory-search">
      <form className="joined" onSubmit={submit}>
        <input
          type="search"
          aria-label="Search memories"
          placeholder="Search memories"
          value={text}
          maxLength={500}
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit">Search</button>
      </form>
    </search>
  );
}

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
