import { useState } from 'react';

/** A voice note that is recorded, or was and is not sent. */
export type Note = 'recording' | File;

/** The voice note of a conversation, by the key of its draft: who looks into another one comes back to it. It is as long as the component is there. */
export function useNote(key = ''): readonly [Note | undefined, change: (note: Note | undefined) => void] {
  const [notes, setNotes] = useState<ReadonlyMap<string, Note | undefined>>(new Map());
  return [notes.get(key), (note) => setNotes((all) => new Map(all).set(key, note))];
}
