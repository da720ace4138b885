import type { ReactElement, ReactNode } from 'react';
import { en } from '../words/en.js';
import { type Words, WordsContext } from '../words/words.js';
import { MathContext, type RenderMath } from './markdown/math.js';

export interface UiRootProps {
  /** Default: English. Sets the text direction. */
  readonly words?: Words | undefined;
  /** Default: the `data-theme` of an ancestor, else the system setting. */
  readonly theme?: 'light' | 'dark' | undefined;
  /** Renders TeX formulas in answers; without it they are shown as written. Pass a stable function. */
  readonly math?: RenderMath | undefined;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** The root of all components: scopes their styles and provides the texts. */
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
