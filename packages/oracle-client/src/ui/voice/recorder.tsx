import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useWords } from '../../words/words.js';
import { clock, useSeconds } from '../parts/clock.js';
import { IconButton } from '../parts/icon.js';
import { longestSeconds, recordVoice, type VoiceRecording } from './record-voice.js';
import { Sound } from './sound.js';

export interface RecorderProps {
  /** Called without a file when discarded. Also called on unmount, with the recording so far. */
  readonly onEnd: (file: File | undefined) => void;
}

/** The problem of a request for the microphone. */
const problems: Readonly<Record<string, 'refused' | 'none'>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
};

/** A voice note while it is recorded. Escape gives it up. */
export function Recorder({ onEnd }: RecorderProps): ReactElement {
  const { voice: words, composer } = useWords();
  const [recording, setRecording] = useState<VoiceRecording>();
  const [problem, setProblem] = useState<'refused' | 'none' | 'failed' | 'empty'>();
  const isCancelled = useRef(false);
  const stopButton = useRef<HTMLButtonElement>(null);
  const meter = useRef<HTMLSpanElement>(null);
  const seconds = useSeconds(recording !== undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: requests the microphone once, on mount.
  useEffect(() => {
    let hasLeft = false;
    let begun: VoiceRecording | undefined;
    recordVoice().then(
      (started) => {
        if (hasLeft) return started.stop();
        begun = started;
        void started.file.then((file) => {
          if (isCancelled.current) return onEnd(undefined);
          if (file.size > 0) return onEnd(file);
          setRecording(undefined);
          return setProblem('empty');
        });
        return setRecording(started);
      },
      (error: unknown) => setProblem(problems[error instanceof Error ? error.name : ''] ?? 'failed'),
    );
    return () => {
      hasLeft = true;
      begun?.stop();
    };
  }, []);

  useEffect(() => {
    if (recording === undefined) return undefined;
    stopButton.current?.focus();
    let frame = 0;
    const show = () => {
      meter.current?.style.setProperty('scale', `${recording.level()} 1`);
      frame = requestAnimationFrame(show);
    };
    show();
    return () => cancelAnimationFrame(frame);
  }, [recording]);

  function giveUp(): void {
    isCancelled.current = true;
    if (recording === undefined) onEnd(undefined);
    else recording.stop();
  }

  return (
    <fieldset
      className="mlango-strip"
      aria-label={words.note}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        giveUp();
      }}
    >
      {problem === undefined ? (
        <>
          <span role="status" className={recording === undefined ? undefined : 'mlango-recording'}>
            {recording === undefined ? words.asking : words.recording}
          </span>
          {recording === undefined ? null : (
            <span role="timer" className="mlango-muted">
              {clock(seconds)} / {clock(longestSeconds)}
            </span>
          )}
          <span className="mlango-level" aria-hidden="true">
            <span ref={meter} />
          </span>
        </>
      ) : (
        <span className="mlango-bad mlango-gap" role="alert">
          {words.problems[problem]}
        </span>
      )}
      <IconButton icon="close" name={words.discard} onPress={giveUp} />
      {recording === undefined ? null : (
        <button
          type="button"
          ref={stopButton}
          className="mlango-button mlango-primary"
          aria-label={words.stop}
          onClick={() => recording.stop()}
        >
          {composer.stop}
        </button>
      )}
    </fieldset>
  );
}

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
