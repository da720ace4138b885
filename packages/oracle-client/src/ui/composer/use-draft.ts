import { useEffect, useState } from 'react';
import { type Draft, keepDraft, noDraft, readDraft } from './kept-drafts.js';

/**
 * What is typed and attached for a conversation: kept in this browser under the key until it is sent, so that a reload, or a look into another
 * one, loses nothing. Without a key it is as long as the component is there.
 */
export function useDraft(key: string | undefined): readonly [Draft, change: (to: (draft: Draft) => Draft) => void] {
  const [kept, setKept] = useState(() => draftOf(key));
  const shown = kept.key === key ? kept : draftOf(key);
  // Another conversation is shown now.
  if (shown !== kept) setKept(shown);
  const { draft, isChanged } = shown;
  useEffect(() => {
    if (isChanged && key !== undefined) keepDraft(key, draft);
  }, [key, draft, isChanged]);
  const change = (to: (draft: Draft) => Draft) =>
    setKept((now) => (now.key === key ? { key, draft: to(now.draft), isChanged: true } : now));
  return [draft, change];
}

function draftOf(key: string | undefined) {
  return { key, draft: key === undefined ? noDraft : readDraft(key), isChanged: false };
}
