import type { ReactElement, ReactNode } from 'react';
import { en } from './words/en.js';
import { type Words, WordsContext } from './words/words.js';

export interface UiRootProps {
  /** Default: English. Their direction is that of what is inside. */
  readonly words?: Words | undefined;
  /** Default: the `data-theme` of an element above it, else what the device has. */
  readonly theme?: 'light' | 'dark' | undefined;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** What all parts stand in: their styles hold below it alone, and it gives them their words. */
export function UiRoot({ words = en, theme, className = '', children }: UiRootProps): ReactElement {
  return (
    <WordsContext.Provider value={words}>
      <div className={`mlango ${className}`.trim()} lang={words.language} dir={words.direction} data-theme={theme}>
        {children}
      </div>
    </WordsContext.Provider>
  );
}
