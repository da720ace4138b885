import { useState } from 'react';
import { keepDraft, readDraft } from './kept-drafts.js';

/**
 * What is typed for a conversation: kept in this browser under the key until it is sent, so that a reload, or a look into another one, loses
 * nothing. Without a key it is as long as the component is there.
 */
export function useDraft(key: string | undefined): readonly [text: string, change: (text: string) => void] {
  const [draft, setDraft] = useState(() => draftOf(key));
  const shown = draft.key === key ? draft : draftOf(key);
  // Another conversation is shown now.
  if (shown !== draft) setDraft(shown);
  const change = (text: string) => {
    setDraft({ key, text });
    if (key !== undefined) keepDraft(key, text);
  };
  return [shown.text, change];
}

function draftOf(key: string | undefined) {
  return { key, text: key === undefined ? '' : readDraft(key) };
}
