import { createContext, useContext } from 'react';
import { en } from './en.js';

type Texts<T> = {
  readonly [K in keyof T]: T[K] extends 'ltr' | 'rtl'
    ? 'ltr' | 'rtl'
    : T[K] extends string
      ? string
      : T[K] extends (...args: infer Args) => string
        ? (...args: Args) => string
        : Texts<T[K]>;
};

/** The texts of the components: `en`, `sw`, `fr`, or a custom record. */
export type Words = Texts<typeof en>;

export const WordsContext = createContext<Words>(en);

/** The texts of the nearest `UiRoot`; English without one. */
export function useWords(): Words {
  return useContext(WordsContext);
}
