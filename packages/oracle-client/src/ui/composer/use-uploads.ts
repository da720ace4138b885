import { type RefObject, useEffect, useRef, useState } from 'react';
import type { IAttachment, UploadProblem } from '../../api/attachments.js';
import { newId } from '../../api/requests/values.js';
import type { IAttachments } from '../../hooks/use-attachments.js';
import { useLatest } from '../../hooks/use-latest.js';
import { isReadable } from '../parts/files.js';

/** A file that the oracle has not, or not yet. */
export interface PendingFile {
  readonly id: string;
  readonly file: File;
  /** How much of it is sent, 0 to 1. */
  readonly sent: number;
  readonly problem?: UploadProblem | 'too_many';
  /** Size limit for a file that is too large, if the oracle reports one. */
  readonly maxBytes?: number | undefined;
}

export interface Uploads {
  readonly pending: readonly PendingFile[];
  /** Some of them are being uploaded. */
  readonly isUploading: boolean;
  /** @param room for how many there is */
  readonly add: (files: Iterable<File>, room: number) => void;
  readonly retry: (id: string) => void;
  /** Stops one, or forgets one that failed. */
  readonly remove: (id: string) => void;
}

/**
 * Uploads files to an oracle, one after the other. Unreadable ones are not sent.
 *
 * @param key of the draft; a change aborts the uploads
 * @param onUploaded called with each uploaded file, which is no longer pending
 */
export function useUploads(
  upload: IAttachments['uploadAttachment'],
  key: string | undefined,
  onUploaded: (attachment: IAttachment) => void,
): Uploads {
  const [pending, setPending] = useState<readonly PendingFile[]>([]);
  const aborts = useRef(new Map<string, AbortController>());
  const queue = useRef(Promise.resolve());
  // biome-ignore lint/correctness/useExhaustiveDependencies: uploads belong to the key.
  useEffect(() => {
    const open = aborts.current;
    return () => {
      for (const abort of open.values()) abort.abort();
      setPending([]);
    };
  }, [key]);

  const change = (id: string, changed: Partial<PendingFile>) =>
    setPending((all) => all.map((each) => (each.id === id ? { ...each, ...changed } : each)));
  const forget = (id: string) => setPending((all) => all.filter((each) => each.id !== id));

  function start(id: string, file: File): void {
    const abort = new AbortController();
    const { signal } = abort;
    aborts.current.set(id, abort);
    const send = async () => {
      const onProgress = (sent: number) => change(id, { sent });
      const outcome = signal.aborted ? undefined : await upload(file, { signal, onProgress });
      aborts.current.delete(id);
      if (outcome === undefined || signal.aborted) return;
      if ('problem' in outcome) change(id, { problem: outcome.problem, maxBytes: outcome.maxBytes });
      else {
        forget(id);
        onUploaded(outcome.attachment);
      }
    };
    queue.current = queue.current.then(send);
  }

  function add(files: Iterable<File>, room: number): void {
    const added = [...files].map((file, at): PendingFile => {
      const problem = at >= room - pending.length ? 'too_many' : isReadable(file) ? undefined : 'unsupported';
      return { id: newId(), file, sent: 0, ...(problem === undefined ? {} : { problem }) };
    });
    setPending((all) => [...all, ...added]);
    for (const { id, file, problem } of added) if (problem === undefined) start(id, file);
  }

  return {
    pending,
    isUploading: pending.some(({ problem }) => problem === undefined),
    add,
    retry: (id) => {
      const found = pending.find((each) => each.id === id);
      if (found === undefined) return;
      setPending((all) => all.map((each) => (each.id === id ? { id, file: each.file, sent: 0 } : each)));
      start(id, found.file);
    },
    remove: (id) => {
      aborts.current.get(id)?.abort();
      forget(id);
    },
  };
}

/** Accepts files dropped anywhere on the chat around the element. Returns whether files are dragged over it. */
export function useDroppedFiles(
  inside: RefObject<HTMLElement | null>,
  onFiles: ((files: FileList) => void) | undefined,
): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useLatest(onFiles);
  const isTaken = onFiles !== undefined;
  useEffect(() => {
    const own = inside.current;
    const area = own?.closest<HTMLElement>('.mlango-chat') ?? own;
    if (area === null || !isTaken) return undefined;
    const end = new AbortController();
    const on = <Name extends 'dragover' | 'dragleave' | 'drop'>(name: Name, hear: (event: DragEvent) => void) =>
      area.addEventListener(name, hear, { signal: end.signal });
    on('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setIsOver(true);
    });
    on('dragleave', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && area.contains(relatedTarget))) setIsOver(false);
    });
    on('drop', (event) => {
      setIsOver(false);
      const files = event.dataTransfer?.files;
      if (files === undefined || files.length === 0) return;
      event.preventDefault();
      latest()?.(files);
    });
    return () => end.abort();
  }, [inside, isTaken, latest]);
  return isOver;
}
