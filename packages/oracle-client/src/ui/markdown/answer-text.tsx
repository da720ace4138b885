import { type ReactElement, useEffect, useState } from 'react';
import { loadedMarkdown, loadMarkdown } from './load-markdown.js';
import type { MarkdownProps } from './markdown.js';

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
