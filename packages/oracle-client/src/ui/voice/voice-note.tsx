import type { ReactElement } from 'react';
import { IconButton } from '../icon-button.js';
import { useLoaded } from '../use-loaded.js';
import { useWords } from '../words/words.js';
import type { VoiceNoteProps } from './recorded-note.js';

/** A voice note that is not sent yet, once what records is loaded. */
export function VoiceNote(props: VoiceNoteProps): ReactElement {
  const { voice: words } = useWords();
  const loaded = useLoaded(() => import('./recorded-note.js'));
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
