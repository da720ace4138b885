import { type ReactElement, useEffect, useState } from 'react';
import type { Markdown, MarkdownProps } from './markdown.js';

/** The text of an answer: plain until the Markdown renderer is loaded. */
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

/** The Markdown component, if it is loaded. */
function loadedMarkdown(): typeof Markdown | undefined {
  return loaded;
}

/** Loads the renderer, then the part that closes open marks. Never rejects. */
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
