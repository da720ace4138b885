import { useEffect, useState } from 'react';
import type { IAttachment } from '../../api/attachments.js';
import { recordOf } from '../../api/requests/values.js';

/**
 * The text and attachments of a conversation, in the local storage under the key until they are sent, so that a reload or another
 * conversation loses none.
 */
export function useDraft(key: string | undefined): readonly [Draft, change: (to: (draft: Draft) => Draft) => void] {
  const [stored, setStored] = useState(() => draftOf(key));
  const shown = stored.key === key ? stored : draftOf(key);
  // Another conversation is shown now.
  if (shown !== stored) setStored(shown);
  const { draft, isChanged } = shown;
  useEffect(() => {
    if (isChanged && key !== undefined) saveDraft(key, draft);
  }, [key, draft, isChanged]);
  const change = (to: (draft: Draft) => Draft) =>
    setStored((now) => (now.key === key ? { key, draft: to(now.draft), isChanged: true } : now));
  return [draft, change];
}

function draftOf(key: string | undefined) {
  return { key, draft: key === undefined ? noDraft : readDraft(key), isChanged: false };
}

/** Key in the local storage. */
const place = 'mlango drafts';
/** The oldest is forgotten for one more. */
const mostDrafts = 50;

export interface Draft {
  readonly text: string;
  /** Files that the oracle has. */
  readonly attachments: readonly IAttachment[];
}

export const noDraft: Draft = { text: '', attachments: [] };

/** A draft and when it was changed, in ms since 1970, by the conversation that it is for. */
type Drafts = Readonly<
  Record<string, readonly [text: string, changedAtMs: number, attachments?: Draft['attachments']]>
>;

/** The stored draft; empty if there is none or storage is unavailable. */
export function readDraft(key: string): Draft {
  const [text, , attachments = noDraft.attachments] = allDrafts()[key] ?? [''];
  return { text, attachments };
}

/** Stores a draft; deletes an empty one. Storage may be unavailable. */
export function saveDraft(key: string, { text, attachments }: Draft): void {
  const { [key]: _, ...others } = allDrafts();
  const stored = Object.entries(others).toSorted(([, [, one]], [, [, other]]) => other - one);
  const isEmpty = text === '' && attachments.length === 0;
  const drafts = isEmpty ? stored : [[key, [text, Date.now(), attachments]] as const, ...stored];
  try {
    localStorage.setItem(place, JSON.stringify(Object.fromEntries(drafts.slice(0, mostDrafts))));
  } catch {
    // Full, or switched off.
  }
}

function allDrafts(): Drafts {
  try {
    const drafts: unknown = JSON.parse(localStorage.getItem(place) ?? '{}');
    return typeof drafts === 'object' && drafts !== null
      ? Object.fromEntries(Object.entries(drafts as Drafts).filter(([, draft]) => isDraft(draft)))
      : {};
  } catch {
    return {};
  }
}

function isDraft(draft: unknown): boolean {
  if (!Array.isArray(draft) || typeof draft[0] !== 'string' || typeof draft[1] !== 'number') return false;
  return draft[2] === undefined || (Array.isArray(draft[2]) && draft[2].every(isAttachment));
}

function isAttachment(stored: unknown): boolean {
  const { attachmentId, filename, size } = recordOf(stored);
  return typeof attachmentId === 'string' && typeof filename === 'string' && typeof size === 'number';
}
