import type { IAttachment } from '../../attachments/attachment.js';
import { recordOf } from '../../requests/record-of.js';

/** Where drafts are kept in the browser. */
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

/** What was typed and not sent; empty where nothing is kept, or nothing can be. */
export function readDraft(key: string): Draft {
  const [text, , attachments = noDraft.attachments] = allDrafts()[key] ?? [''];
  return { text, attachments };
}

/** Keeps what is typed, until it is empty. A browser that keeps nothing for this page goes without. */
export function keepDraft(key: string, { text, attachments }: Draft): void {
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
