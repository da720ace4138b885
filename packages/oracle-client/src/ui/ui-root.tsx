import type { ReactElement, ReactNode } from 'react';
import { en } from '../words/en.js';
import { type Words, WordsContext } from '../words/words.js';
import { MathContext, type RenderMath } from './markdown/markdown-context.js';

export interface UiRootProps {
  /** Default: English. Their direction is that of what is inside. */
  readonly words?: Words | undefined;
  /** Default: the `data-theme` of an element above it, else what the device has. */
  readonly theme?: 'light' | 'dark' | undefined;
  /** Shows formulas in answers, given as they were written in TeX; without it they stay as they are. Best the same function with each render. */
  readonly math?: RenderMath | undefined;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** What all parts stand in: their styles hold below it alone, and it gives them their words. */
export function UiRoot({ words = en, theme, math, className = '', children }: UiRootProps): ReactElement {
  return (
    <WordsContext.Provider value={words}>
      <MathContext.Provider value={math}>
        <div className={`mlango ${className}`.trim()} lang={words.language} dir={words.direction} data-theme={theme}>
          {children}
        </div>
      </MathContext.Provider>
    </WordsContext.Provider>
  );
}
