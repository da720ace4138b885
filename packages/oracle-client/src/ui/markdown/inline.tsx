import type { MarkedToken, Token } from 'marked';
import { type ReactNode, useContext, useMemo } from 'react';
import { BoundedLexer } from './bounded-lexer.js';
import { readReferences } from './character-references.js';
import { MarkdownContext, type RenderMath } from './markdown-context.js';
import { type MathToken, mathExtensions } from './math-extensions.js';
import { RemoteImage } from './remote-image.js';
import { safeLink } from './safe-link.js';

/** What is in a paragraph, a heading or a cell. */
export function Inline({ text }: { readonly text: string }): ReactNode {
  const { links, math } = useContext(MarkdownContext);
  return useMemo(() => {
    const lexer = new BoundedLexer(math === undefined ? undefined : mathExtensions);
    lexer.tokens.links = links;
    return nodesOf(lexer.inlineTokens(text), math);
  }, [text, links, math]);
}

function nodesOf(tokens: readonly Token[], math: RenderMath | undefined): ReactNode[] {
  return tokens.map((token, at) => nodeOf(token as MarkedToken | MathToken, at, math));
}

/** Where a page could be told to do something (HTML, strange links), the text is shown as it was written. */
function nodeOf(token: MarkedToken | MathToken, key: number, math: RenderMath | undefined): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong key={key}>{nodesOf(token.tokens ?? [], math)}</strong>;
    case 'em':
      return <em key={key}>{nodesOf(token.tokens ?? [], math)}</em>;
    case 'del':
      return <del key={key}>{nodesOf(token.tokens ?? [], math)}</del>;
    case 'codespan':
      return <code key={key}>{token.text}</code>;
    case 'br':
      return <br key={key} />;
    case 'escape':
      return token.text;
    case 'html':
      return /^<br\s*\/?>$/i.test(token.raw) ? <br key={key} /> : token.raw;
    case 'link':
      return (
        <Link
          key={key}
          to={token.href}
          title={token.title}
          text={token.text}
          inner={nodesOf(token.tokens ?? [], math)}
        />
      );
    case 'image':
      return <RemoteImage key={key} source={token.href} alternative={readReferences(token.text)} />;
    case 'math':
      return <span key={key}>{math?.(token.text, false) ?? token.raw}</span>;
    case 'text':
      return token.tokens === undefined ? wordsOf(token) : nodesOf(token.tokens, math);
    default:
      return token.raw;
  }
}

function wordsOf({ text, escaped }: { readonly text: string; readonly escaped?: boolean }): string {
  return escaped === true ? text : readReferences(text);
}

interface LinkProps {
  readonly to: string;
  readonly title: string | null | undefined;
  readonly text: string;
  readonly inner: ReactNode;
}

/** A link says where it leads, unless that is what it is called, and leaves the conversation where it is. */
function Link({ to, title, text, inner }: LinkProps): ReactNode {
  const link = safeLink(to);
  if (link === undefined) return <>{inner}</>;
  const { href, host } = link;
  const isNamed = host === undefined || [href, `${href}/`, host, to].includes(text) || href === `${text}/`;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" {...(title ? { title } : {})}>
      {inner}
      {isNamed ? null : <span className="mlango-link-host"> ({host})</span>}
    </a>
  );
}
