import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { IChat } from '../../chat/use-chat.js';
import { Icon } from '../icon.js';
import { IconButton } from '../icon-button.js';
import { useCanRecord } from '../voice/can-record.js';
import { useNote } from '../voice/use-note.js';
import { isSound } from '../voice/voice-file.js';
import { VoiceNote } from '../voice/voice-note.js';
import { useWords } from '../words/words.js';
import { FileChips } from './file-chips.js';
import { FilePicker } from './file-picker.js';
import { GrowingField } from './growing-field.js';
import { noDraft } from './kept-drafts.js';
import { useDraft } from './use-draft.js';
import { useDroppedFiles } from './use-dropped-files.js';
import { useUploads } from './use-uploads.js';

/** Of one message. */
const mostFiles = 10;

export interface ComposerProps {
  readonly chat: Pick<IChat, 'sendMessage' | 'abortStream' | 'isSending' | 'uploadAttachment' | 'deleteAttachment'>;
  /** Whether files can go along: chosen, pasted, or dropped on the chat. Default true. */
  readonly hasAttachments?: boolean | undefined;
  readonly fieldRef?: RefObject<HTMLTextAreaElement | null>;
  /** Under which name the browser keeps what is typed and not sent; without one it keeps nothing. */
  readonly draftKey?: string | undefined;
  /** Arrow up was pressed in the empty field: the last message is to be edited. */
  readonly onEditLast?: () => void;
  /** Stands beside the button that sends. */
  readonly children?: ReactNode;
}

/** A field for a message and its files. Enter sends, once the files are there; Escape stops what answers. */
export function Composer(props: ComposerProps): ReactElement {
  const { chat, hasAttachments = true, fieldRef, draftKey, onEditLast, children } = props;
  const { composer: words, voice } = useWords();
  const canRecord = useCanRecord();
  const [{ text, attachments }, change] = useDraft(draftKey);
  const { sendMessage, abortStream, isSending, uploadAttachment, deleteAttachment } = chat;
  const uploads = useUploads(uploadAttachment, draftKey, (attachment) =>
    change((draft) => ({ ...draft, attachments: [...draft.attachments, attachment] })),
  );
  const [note, setNote] = useNote(draftKey);
  const [isWaiting, setIsWaiting] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const message = text.trim();
  const hasProblem = uploads.pending.some(({ problem }) => problem !== undefined);
  const isRecording = note === 'recording';
  const hasVoice =
    note !== undefined ||
    attachments.some(({ mimetype }) => isSound(mimetype)) ||
    uploads.pending.some(({ file }) => isSound(file.type));
  const hasSomething = message !== '' || hasVoice;
  const maySend = hasSomething && !hasProblem && !isRecording;
  const stop = () => void abortStream().catch(() => undefined);
  const addFiles = (files: FileList) => uploads.add(files, mostFiles - attachments.length);
  const isOver = useDroppedFiles(form, hasAttachments ? addFiles : undefined);

  function send(): void {
    if (!maySend) return;
    const isNote = note instanceof File;
    if (isNote) {
      setNote(undefined);
      uploads.add([note], mostFiles - attachments.length);
    }
    setIsWaiting(isNote || uploads.isUploading);
    if (isNote || uploads.isUploading) return;
    change(() => noDraft);
    sendMessage(message === '' ? voice.note : message, attachments.length === 0 ? {} : { attachments });
  }
  // What waited for its files goes now; or not, if one of them did not arrive.
  useEffect(() => {
    if (!isWaiting || uploads.isUploading) return;
    setIsWaiting(false);
    send();
  });

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === 'Escape' && isSending) stop();
    if (event.key === 'ArrowUp' && text === '' && onEditLast !== undefined) {
      event.preventDefault();
      onEditLast();
    }
  }

  return (
    <form
      ref={form}
      className={isOver ? 'mlango-composer mlango-over' : 'mlango-composer'}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onPaste={(event) => {
        if (!hasAttachments || event.clipboardData.files.length === 0) return;
        event.preventDefault();
        addFiles(event.clipboardData.files);
      }}
    >
      <FileChips
        attachments={attachments}
        uploads={uploads}
        onRemove={({ attachmentId }) => {
          change((draft) => ({
            ...draft,
            attachments: draft.attachments.filter((file) => file.attachmentId !== attachmentId),
          }));
          void deleteAttachment(attachmentId).catch(() => undefined);
        }}
      />
      {note === undefined ? null : (
        <VoiceNote
          key={draftKey}
          file={isRecording ? undefined : note}
          onEnd={(file) => {
            setNote(file);
            form.current?.querySelector('textarea')?.focus();
          }}
        />
      )}
      <GrowingField
        fieldRef={fieldRef}
        label={words.message}
        placeholder={isOver ? words.drop : words.placeholder}
        value={text}
        onChange={(typed) => change((draft) => ({ ...draft, text: typed }))}
        onEnter={send}
        onKeyDown={onKeyDown}
      />
      {/* What sends or stops is the next thing after the field for who goes on by Tab, and stands at the end of the row. */}
      <div className="mlango-row">
        {isSending ? (
          <button type="button" className="mlango-send" aria-label={words.stop} title={words.stop} onClick={stop}>
            <Icon name="stop" />
          </button>
        ) : null}
        {isSending && !hasSomething ? null : (
          <button type="submit" className="mlango-send" aria-label={words.send} title={words.send} disabled={!maySend}>
            <Icon name="send" />
          </button>
        )}
        <span className="mlango-mark mlango-gap" role="status">
          {isWaiting ? words.waiting : ''}
        </span>
        {children}
        {hasAttachments ? <FilePicker onFiles={addFiles} /> : null}
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
