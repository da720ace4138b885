import { type ReactElement, useEffect, useState } from 'react';
import type { Markdown, MarkdownProps } from './markdown.js';

/** What an oracle says, as it was written until what shows it as it was meant is there. */
export function AnswerText(props: Pick<MarkdownProps, 'text' | 'isStreaming'>): ReactElement {
  const [, setIsLoaded] = useState(false);
  const Shown = loadedMarkdown();
  const isThere = Shown !== undefined;
  useEffect(() => {
    if (!isThere) void loadMarkdown().then(() => setIsLoaded(true));
  }, [isThere]);
  if (isThere) return <Shown {...props} />;
  return (
    <div className="mlango-markdown">
      <p className="mlango-written">{props.text}</p>
    </div>
  );
}

let loaded: typeof Markdown | undefined;
let loading: Promise<void> | undefined;

/** What shows answers as they were meant to look, if it is there. */
function loadedMarkdown(): typeof Markdown | undefined {
  return loaded;
}

/** Loads it, and behind it what closes open ends: who has said nothing yet need not wait for either. Never rejects. */
export function loadMarkdown(): Promise<void> {
  loading ??= Promise.all([import('./markdown.js'), import('./close-open-marks.js')]).then(
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
