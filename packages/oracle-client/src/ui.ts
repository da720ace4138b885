'use client';

// The door of the components: what is not named here is not part of their interface. Styles are in `ui.css` beside it.
export { Markdown, type MarkdownProps } from './ui/markdown/markdown.js';
export type { RenderMath } from './ui/markdown/markdown-context.js';
export { type MarkdownWords, markdownWords } from './ui/words/markdown-words.js';
