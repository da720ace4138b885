import type { ReactElement, ReactNode } from 'react';
import { useWords } from '../../words/words.js';
import { GrowingField } from '../parts/growing-field.js';
import { Icon, IconButton } from '../parts/icon.js';
import { useCanRecord, VoiceNote } from '../voice/voice-note.js';
import { FileChips, FilePicker } from './files.js';
import { type ComposerOptions, useComposer } from './use-composer.js';

export interface ComposerProps extends ComposerOptions {
  /** Shown next to the send button. */
  readonly children?: ReactNode;
}

/** A field for a message and its files. Enter sends, once the files are uploaded; Escape stops the running answer. */
export function Composer({ children, ...options }: ComposerProps): ReactElement {
  const { hasAttachments = true, draftKey } = options;
  const { composer: words, voice } = useWords();
  const canRecord = useCanRecord();
  const composer = useComposer(options);
  const { formProps, fieldProps, isSending, hasSomething, maySend, isOver, note, setNote } = composer;
  const { ref: fieldRef, ...field } = fieldProps;
  return (
    <form {...formProps} className={isOver ? 'mlango-composer mlango-over' : 'mlango-composer'}>
      <FileChips attachments={composer.attachments} uploads={composer.uploads} onRemove={composer.removeAttachment} />
      {note === undefined ? null : (
        <VoiceNote
          key={draftKey}
          file={note === 'recording' ? undefined : note}
          onEnd={(file) => {
            setNote(file);
            fieldRef.current?.focus();
          }}
        />
      )}
      <GrowingField {...field} fieldRef={fieldRef} placeholder={isOver ? words.drop : words.placeholder} />
      {/* First in the tab order after the field, last in the row. Send keeps its place when an answer ends, against wrong presses. */}
      <div className="mlango-row">
        {isSending && !hasSomething ? null : (
          <button type="submit" className="mlango-send" aria-label={words.send} title={words.send} disabled={!maySend}>
            <Icon name="send" />
          </button>
        )}
        {isSending ? (
          <button
            type="button"
            className="mlango-send"
            aria-label={words.stop}
            title={words.stop}
            onClick={composer.stop}
          >
            <Icon name="stop" />
          </button>
        ) : null}
        <span className="mlango-mark mlango-gap" role="status">
          {composer.isWaiting ? words.waiting : ''}
        </span>
        {children}
        {hasAttachments ? <FilePicker onFiles={composer.addFiles} /> : null}
        {hasAttachments && canRecord ? (
          <IconButton
            icon="mic"
            name={voice.record}
            isDisabled={note !== undefined}
            onPress={() => setNote('recording')}
          />
        ) : null}
      </div>
    </form>
  );
}
