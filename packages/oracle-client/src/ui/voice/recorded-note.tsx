import type { ReactElement } from 'react';
import { IconButton } from '../icon-button.js';
import { useWords } from '../words/words.js';
import { Recorder, type RecorderProps } from './recorder.js';
import { Sound } from './sound.js';

export interface VoiceNoteProps extends RecorderProps {
  /** Undefined while it is recorded. */
  readonly file: File | undefined;
}

/** A voice note: while it is recorded, and then to be listened to. */
export function RecordedNote({ file, onEnd }: VoiceNoteProps): ReactElement {
  const { voice: words } = useWords();
  if (file === undefined) return <Recorder onEnd={onEnd} />;
  return (
    <fieldset className="mlango-strip" aria-label={words.note}>
      <Sound blob={file} name={words.note} />
      <IconButton icon="close" name={words.discard} onPress={() => onEnd(undefined)} />
    </fieldset>
  );
}
