import { type ChangeEvent, type KeyboardEvent, useEffect, useState } from 'react';
import { errorOf } from '../../requests/error-of.js';
import type { FoundMessage } from '../../sessions/session.js';
import type { IOracleSessions } from '../../sessions/use-oracle-sessions.js';

/** Who goes on typing is not searched for yet. */
const pauseMs = 250;

/** A search in all conversations, without any look. */
export interface SessionSearchParts {
  /** For the element that has the field and what was found: arrow keys go through its field and buttons, Escape empties the field. */
  readonly boxProps: { readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void };
  readonly fieldProps: {
    readonly type: 'search';
    readonly maxLength: number;
    readonly value: string;
    readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
  /** Something is searched for. */
  readonly isOn: boolean;
  /** Undefined while it is looked for. */
  readonly found: readonly FoundMessage[] | Error | undefined;
}

export function useSessionSearch(search: IOracleSessions['searchSessions']): SessionSearchParts {
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<readonly FoundMessage[] | Error>();
  const wanted = typed.trim();
  useEffect(() => {
    setFound(undefined);
    if (wanted === '') return undefined;
    const left = new AbortController();
    const look = async () => {
      const result = await search(wanted, left.signal).catch(errorOf);
      if (!left.signal.aborted) setFound(result);
    };
    const timer = setTimeout(() => void look(), pauseMs);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [search, wanted]);

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.key === 'Escape' && typed !== '') {
      event.preventDefault();
      setTyped('');
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || wanted === '') return;
    event.preventDefault();
    const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')];
    stops[stops.indexOf(event.target as HTMLElement) + step]?.focus();
  }

  return {
    boxProps: { onKeyDown },
    fieldProps: { type: 'search', maxLength: 200, value: typed, onChange: ({ target }) => setTyped(target.value) },
    isOn: wanted !== '',
    found,
  };
}
