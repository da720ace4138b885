import { type FormEvent, useId, useState } from 'react';
import { useChainHref } from '../parts/links.js';

/** One field for anything that has an id. */
export function FindAnything({ sought }: { readonly sought: string }) {
  const [text, setText] = useState(sought);
  const href = useChainHref();
  const id = useId();
  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() !== '') window.location.hash = href(['find', text.trim()]);
  }
  return (
    <search className="find-anything">
      <form className="field" onSubmit={onSubmit}>
        <label htmlFor={id}>Find anything</label>
        <div className="joined">
          <input
            id={id}
            type="search"
            value={text}
            placeholder="DID, claim, token, collection, address, transaction or block"
            maxLength={300}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            onChange={({ target }) => setText(target.value)}
          />
          <button type="submit" className="primary">
            Find
          </button>
        </div>
      </form>
    </search>
  );
}
