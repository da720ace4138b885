import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { useWords } from '../../words/words.js';
import { CopyButton } from '../parts/copy-button.js';

interface CodeBlockProps {
  readonly code: string;
  /** The language as written after the fence. */
  readonly language: string | undefined;
  readonly isOpen: boolean;
}

/** Longer code is not highlighted: it would block scrolling. */
const colouredChars = 50_000;

/** Code, with the name of its language, highlighted once it is complete: the highlighter is loaded with the first code. */
export function CodeBlock({ code, language = '', isOpen }: CodeBlockProps): ReactElement {
  const words = useWords().markdown;
  const name = /^[^\s{]*/.exec(language)?.[0] ?? '';
  const coloured = useColours(code, name.toLowerCase(), isOpen);
  return (
    <figure className="mlango-code">
      <figcaption>
        <span>{name === '' ? words.code : name}</span>
        <CopyButton text={code} isWorded />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: with the focus on it, the arrow keys scroll. */}
      <pre dir="ltr" tabIndex={0}>
        <code>{coloured ?? code}</code>
      </pre>
    </figure>
  );
}

function useColours(code: string, language: string, isOpen: boolean): ReactNode {
  const [coloured, setColoured] = useState<{ readonly code: string; readonly node: ReactNode }>();
  useEffect(() => {
    if (isOpen || language === '' || code.length > colouredChars) return undefined;
    let isUnmounted = false;
    void import('./highlight.js')
      .then(({ highlight }) => highlight(code, language))
      // Code without colours is code.
      .catch(() => undefined)
      .then((node) => {
        if (!isUnmounted && node !== undefined) setColoured({ code, node });
      });
    return () => {
      isUnmounted = true;
    };
  }, [code, language, isOpen]);
  return coloured?.code === code ? coloured.node : undefined;
}
