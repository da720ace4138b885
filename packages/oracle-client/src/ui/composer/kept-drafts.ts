/** Where drafts are kept in the browser. */
const place = 'mlango drafts';
/** The oldest is forgotten for one more. */
const mostDrafts = 50;

/** A draft and when it was changed, in ms since 1970, by the conversation that it is for. */
type Drafts = Readonly<Record<string, readonly [text: string, changedAtMs: number]>>;

/** What was typed and not sent; empty where nothing is kept, or nothing can be. */
export function readDraft(key: string): string {
  return allDrafts()[key]?.[0] ?? '';
}

/** Keeps what is typed, until it is empty. A browser that keeps nothing for this page goes without. */
export function keepDraft(key: string, text: string): void {
  const { [key]: _, ...others } = allDrafts();
  const kept = Object.entries(others).toSorted(([, [, one]], [, [, other]]) => other - one);
  const drafts = text === '' ? kept : [[key, [text, Date.now()]] as const, ...kept];
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
  return Array.isArray(draft) && typeof draft[0] === 'string' && typeof draft[1] === 'number';
}
