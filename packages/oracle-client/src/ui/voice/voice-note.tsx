import { type ReactElement, useState, useSyncExternalStore } from 'react';
import { useWords } from '../../words/words.js';
import { IconButton } from '../parts/icon.js';
import { useLoaded } from '../parts/use-loaded.js';
import type { VoiceNoteProps } from './recorder.js';

/** An unsent voice note, once the recording code is loaded. */
export function VoiceNote(props: VoiceNoteProps): ReactElement {
  const { voice: words } = useWords();
  const loaded = useLoaded(() => import('./recorder.js'));
  if (loaded !== undefined && loaded !== 'failed') return <loaded.RecordedNote {...props} />;
  return (
    <p className="mlango-strip">
      <span className="mlango-bad mlango-gap" role="alert">
        {loaded === undefined ? '' : words.problems.failed}
      </span>
      <IconButton icon="close" name={words.discard} onPress={() => props.onEnd(undefined)} />
    </p>
  );
}

/** A voice note that is recorded, or was and is not sent. */
export type Note = 'recording' | File;

/** The voice note of a draft, by its key, while the component is mounted. */
export function useNote(key = ''): readonly [Note | undefined, change: (note: Note | undefined) => void] {
  const [notes, setNotes] = useState<ReadonlyMap<string, Note | undefined>>(new Map());
  return [notes.get(key), (note) => setNotes((all) => new Map(all).set(key, note))];
}

const never = () => () => undefined;

/** Whether this browser records sound: not in pages without HTTPS, nor while a server renders. */
export function useCanRecord(): boolean {
  return useSyncExternalStore(
    never,
    () => typeof MediaRecorder !== 'undefined' && navigator.mediaDevices !== undefined,
    () => false,
  );
}
