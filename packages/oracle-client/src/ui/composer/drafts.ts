import { useEffect, useState } from 'react';
import type { IAttachment } from '../../api/attachments.js';
import { recordOf } from '../../api/requests/values.js';

/**
 * What is typed and attached for a conversation: kept in this browser under the key until it is sent, so that a reload, or a look into another
 * one, loses nothing. Without a key it is as long as the component is there.
 */
export function useDraft(key: string | undefined): readonly [Draft, change: (to: (draft: Draft) => Draft) => void] {
  const [kept, setKept] = useState(() => draftOf(key));
  const shown = kept.key === key ? kept : draftOf(key);
  // Another conversation is shown now.
  if (shown !== kept) setKept(shown);
  const { draft, isChanged } = shown;
  useEffect(() => {
    if (isChanged && key !== undefined) saveDraft(key, draft);
  }, [key, draft, isChanged]);
  const change = (to: (draft: Draft) => Draft) =>
    setKept((now) => (now.key === key ? { key, draft: to(now.draft), isChanged: true } : now));
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
  const kept = Object.entries(others).toSorted(([, [, one]], [, [, other]]) => other - one);
  const isEmpty = text === '' && attachments.length === 0;
  const drafts = isEmpty ? kept : [[key, [text, Date.now(), attachments]] as const, ...kept];
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

function isAttachment(kept: unknown): boolean {
  const { attachmentId, filename, size } = recordOf(kept);
  return typeof attachmentId === 'string' && typeof filename === 'string' && typeof size === 'number';
}
