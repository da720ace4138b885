import { type ReactElement, useEffect, useState } from 'react';
import type { MarkdownProps, RenderedMarkdown } from './rendered-markdown.js';

export type { MarkdownProps } from './rendered-markdown.js';

/**
 * The text of an oracle, rendered as Markdown: plain until the renderer is loaded. Nothing in it becomes HTML, runs,
 * or fetches anything; links lead to http, https and mailto only.
 */
export function Markdown(props: MarkdownProps): ReactElement {
  const [, setIsLoaded] = useState(false);
  const Rendered = loaded;
  const isLoaded = Rendered !== undefined;
  useEffect(() => {
    if (!isLoaded) void loadMarkdown().then(() => setIsLoaded(true));
  }, [isLoaded]);
  if (isLoaded) return <Rendered {...props} />;
  return (
    <div className="mlango-markdown">
      <p className="mlango-written">{props.text}</p>
    </div>
  );
}

let loaded: typeof RenderedMarkdown | undefined;
let loading: Promise<void> | undefined;

/** Loads the renderer. Never rejects: a later call tries again. */
export function loadMarkdown(): Promise<void> {
  loading ??= import('./rendered-markdown.js').then(
    (renderer) => {
      loaded = renderer.RenderedMarkdown;
    },
    () => {
      loading = undefined;
    },
  );
  return loading;
}
