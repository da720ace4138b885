import type { Links } from 'marked';
import { createContext, type ReactNode } from 'react';

/** Shows a formula, given as it was written in TeX. */
export type RenderMath = (tex: string, isBlock: boolean) => ReactNode;

interface Shared {
  readonly links: Links;
  readonly math: RenderMath | undefined;
}

/** Shared state of one text. */
export const MarkdownContext = createContext<Shared>({ links: {}, math: undefined });

/** How the parts below a `UiRoot` show formulas. */
export const MathContext = createContext<RenderMath | undefined>(undefined);
