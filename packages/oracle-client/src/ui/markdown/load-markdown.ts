import type { Markdown } from './markdown.js';

let loaded: typeof Markdown | undefined;
let loading: Promise<void> | undefined;

/** What shows answers as they were meant to look, if it is there. */
export function loadedMarkdown(): typeof Markdown | undefined {
  return loaded;
}

/** Loads it, and behind it what closes open ends: who has said nothing yet need not wait for either. Never rejects. */
export function loadMarkdown(): Promise<void> {
  loading ??= Promise.all([import('./markdown.js'), import('./open-end.js')]).then(
    ([markdown, openEnds]) => {
      loaded = markdown.Markdown;
      void openEnds.loadOpenEnds();
    },
    () => {
      loading = undefined;
    },
  );
  return loading;
}
