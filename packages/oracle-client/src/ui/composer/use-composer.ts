import {
  type ChangeEvent,
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { IAttachment } from '../../api/attachments.js';
import type { IChat } from '../../hooks/use-chat.js';
import { useWords } from '../../words/words.js';
import { isSound } from '../parts/files.js';
import { isPlainEnter } from '../parts/growing-field.js';
import { type Note, useNote } from '../voice/voice-note.js';
import { noDraft, useDraft } from './drafts.js';
import { type Uploads, useDroppedFiles, useUploads } from './use-uploads.js';

/** Limit of files in one message. */
const mostFiles = 10;
/** The longest message that oracles take. */
export const mostChars = 32_000;

export interface ComposerOptions {
  readonly chat: Pick<IChat, 'sendMessage' | 'abortStream' | 'isSending' | 'uploadAttachment' | 'deleteAttachment'>;
  /** Whether files can go along: chosen, pasted, or dropped on the chat. Default true. */
  readonly hasAttachments?: boolean | undefined;
  readonly fieldRef?: RefObject<HTMLTextAreaElement | null> | undefined;
  /** Storage key of the draft; without a key drafts are not stored. */
  readonly draftKey?: string | undefined;
  /** Arrow up was pressed in the empty field: the last message is to be edited. */
  readonly onEditLast?: (() => void) | undefined;
}

/** The state of a field for a message and its files, without styles. */
export interface ComposerParts {
  /** For the `<form>`: sends, and takes files that are pasted into it, or dropped on it or on the `.mlango-chat` around it. */
  readonly formProps: {
    readonly ref: RefObject<HTMLFormElement | null>;
    readonly onSubmit: (event: FormEvent) => void;
    readonly onPaste: (event: ClipboardEvent) => void;
  };
  /** For the `<textarea>`: Enter sends, Escape stops the running answer, arrow up in the empty field edits the last message. */
  readonly fieldProps: {
    readonly ref: RefObject<HTMLTextAreaElement | null>;
    readonly value: string;
    readonly maxLength: number;
    readonly dir: 'auto';
    readonly 'aria-label': string;
    readonly onChange: (event: ChangeEvent<HTMLTextAreaElement>) => void;
    readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
  };
  readonly isSending: boolean;
  /** There is content to send, possibly with a problem. */
  readonly hasSomething: boolean;
  readonly maySend: boolean;
  /** It is sent as soon as its files are uploaded. */
  readonly isWaiting: boolean;
  readonly send: () => void;
  readonly stop: () => void;
  /** Files that the oracle has. */
  readonly attachments: readonly IAttachment[];
  readonly removeAttachment: (attachment: IAttachment) => void;
  /** Files that it has not, or not yet. */
  readonly uploads: Uploads;
  readonly addFiles: (files: FileList) => void;
  /** Files are held above it. */
  readonly isOver: boolean;
  /** A voice note that is recorded, or was and is not sent. */
  readonly note: Note | undefined;
  readonly setNote: (note: Note | undefined) => void;
}

/** State of a message field, without markup. Drafts, files and voice notes are stored by `draftKey`. */
export function useComposer(options: ComposerOptions): ComposerParts {
  const { chat, hasAttachments = true, draftKey, onEditLast } = options;
  const { sendMessage, abortStream, isSending, uploadAttachment, deleteAttachment } = chat;
  const { composer: words, voice } = useWords();
  const [{ text, attachments }, change] = useDraft(draftKey);
  const uploads = useUploads(uploadAttachment, draftKey, (attachment) =>
    change((draft) => ({ ...draft, attachments: [...draft.attachments, attachment] })),
  );
  const [note, setNote] = useNote(draftKey);
  const [isWaiting, setIsWaiting] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const ownField = useRef<HTMLTextAreaElement>(null);
  const message = text.trim();
  const hasProblem = uploads.pending.some(({ problem }) => problem !== undefined);
  const hasVoice =
    note !== undefined ||
    attachments.some(({ mimetype }) => isSound(mimetype)) ||
    uploads.pending.some(({ file }) => isSound(file.type));
  const hasSomething = message !== '' || hasVoice;
  const maySend = hasSomething && !hasProblem && note !== 'recording';
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
  // Sends the message that waited for its files, or returns it if one of them failed.
  useEffect(() => {
    if (!isWaiting || uploads.isUploading) return;
    setIsWaiting(false);
    send();
  });

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (isPlainEnter(event)) {
      event.preventDefault();
      send();
    }
    if (event.key === 'Escape' && isSending) stop();
    if (event.key === 'ArrowUp' && text === '' && onEditLast !== undefined) {
      event.preventDefault();
      onEditLast();
    }
  }

  return {
    formProps: {
      ref: form,
      onSubmit: (event) => {
        event.preventDefault();
        send();
      },
      onPaste: (event) => {
        if (!hasAttachments || event.clipboardData.files.length === 0) return;
        event.preventDefault();
        addFiles(event.clipboardData.files);
      },
    },
    fieldProps: {
      ref: options.fieldRef ?? ownField,
      value: text,
      maxLength: mostChars,
      dir: 'auto',
      'aria-label': words.message,
      onChange: ({ target }) => change((draft) => ({ ...draft, text: target.value })),
      onKeyDown,
    },
    isSending,
    hasSomething,
    maySend,
    isWaiting,
    send,
    stop,
    attachments,
    uploads,
    addFiles,
    isOver,
    note,
    setNote,
    removeAttachment: ({ attachmentId }) => {
      change((draft) => ({
        ...draft,
        attachments: draft.attachments.filter((file) => file.attachmentId !== attachmentId),
      }));
      void deleteAttachment(attachmentId).catch(() => undefined);
    },
  };
}
