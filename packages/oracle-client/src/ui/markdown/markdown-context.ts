import type { Links } from 'marked';
import { createContext, type ReactNode } from 'react';

/** Shows a formula, given as it was written in TeX. */
export type RenderMath = (tex: string, isBlock: boolean) => ReactNode;

interface Shared {
  readonly links: Links;
  readonly math: RenderMath | undefined;
}

/** What the parts of one text have in common. */
export const MarkdownContext = createContext<Shared>({ links: {}, math: undefined });
