import type { MarkedToken, Token } from 'marked';
import { type ReactElement, type ReactNode, useContext, useMemo, useState } from 'react';
import { useWords } from '../../words/words.js';
import { BoundedLexer, type MathToken, mathExtensions } from './lexer.js';
import { MarkdownContext, type RenderMath } from './markdown-context.js';

/** Inline content of a paragraph, a heading or a cell. */
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

/** HTML and unsafe links are shown as text. */
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

/** A link with its host, unless that is its text; opens a new tab. */
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

interface RemoteImageProps {
  readonly source: string;
  readonly alternative: string;
}

/** An image that loads on request: loading reveals the reader's address to a third-party server. */
function RemoteImage({ source, alternative }: RemoteImageProps): ReactElement {
  const words = useWords().markdown;
  const [isWanted, setIsWanted] = useState(false);
  const link = safeLink(source);
  if (link?.host === undefined) return <span>{alternative}</span>;
  if (!isWanted) {
    return (
      <button type="button" className="mlango-image-button" onClick={() => setIsWanted(true)}>
        {words.showImage(alternative, link.host)}
      </button>
    );
  }
  return <img className="mlango-image" src={link.href} alt={alternative} referrerPolicy="no-referrer" />;
}

export interface SafeLink {
  readonly href: string;
  /** The host; undefined for a mail address. */
  readonly host: string | undefined;
}

/**
 * A link that may be followed: http, https or mailto, without user info, which can imitate a host.
 * Undefined for all others, including links within the page: the author does not know where the text is shown.
 */
function safeLink(target: string): SafeLink | undefined {
  if (!/^(?:https?:\/\/|mailto:)/i.test(target) || !URL.canParse(target)) return undefined;
  const { protocol, host, href, username, password } = new URL(target);
  if (protocol === 'mailto:') return { href, host: undefined };
  return username === '' && password === '' ? { href, host } : undefined;
}

/** The entities that occur in answers; any other is left unchanged. */
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  times: '×',
  deg: '°',
  euro: '€',
  rarr: '→',
  larr: '←',
  middot: '·',
  bull: '•',
};

/** A text with its character references (`&amp;`, `&#8364;`) read. */
function readReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,8}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : '\uFFFD';
  });
}
