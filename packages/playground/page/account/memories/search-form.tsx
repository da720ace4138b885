import { type FormEvent, useState } from 'react';
import { hrefOf } from '../../shell/route.js';

/** Looks for words; what is looked for stands in the address, so that Back and a shared link keep it. */
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
