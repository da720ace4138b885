import type { OtherView } from './other-views.js';

let opened: typeof OtherView | undefined;

/** The views other than the first list, if loaded. */
export function openedViews(): typeof OtherView | undefined {
  return opened;
}

/** Loads them. Rejects when their files cannot be read. */
export async function openViews(): Promise<typeof OtherView> {
  opened = (await import('./other-views.js')).OtherView;
  return opened;
}
