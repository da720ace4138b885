import type { Element, Nodes } from 'hast';
import { createContext, createElement, type ReactElement, type ReactNode, useContext, useState } from 'react';
import type { Components } from 'react-markdown';
import { useWords } from '../../words/words.js';
import { CodeBlock } from './code-block.js';
import { formulaOfCode, MathContext } from './math.js';

/** Whether more text may follow in the block. */
export const OpenContext = createContext(false);

/** The text of a node and all nodes in it. */
export function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

interface ElementProps {
  readonly node?: Element | undefined;
  readonly children?: ReactNode;
}

/** Headings of an answer are below those of the page and of the conversation. */
const headingsAbove = 2;

function heading(depth: number) {
  const name = `h${Math.min(6, depth + headingsAbove)}`;
  return ({ children }: ElementProps) => createElement(name, { className: `mlango-h${depth}` }, children);
}

/** The elements of an answer. Texts decide their own direction, and nothing is fetched without a click. */
export const components: Components = {
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(5),
  h6: heading(6),
  ul: ({ children }) => <ul dir="auto">{children}</ul>,
  ol: ({ children, start }) => (
    <ol dir="auto" start={start}>
      {children}
    </ol>
  ),
  li: ({ children, className }) => <li className={className === undefined ? undefined : 'mlango-task'}>{children}</li>,
  blockquote: ({ children }) => <blockquote dir="auto">{children}</blockquote>,
  table: TableBox,
  th: Cell,
  td: Cell,
  pre: Code,
  code: CodeOrFormula,
  a: Link,
  img: ({ src, alt }) => <RemoteImage source={typeof src === 'string' ? src : ''} alternative={alt ?? ''} />,
};

const contentOnly = ({ children }: ElementProps) => <>{children}</>;
const nothing = () => null;

/** The elements of a table without its box: of the head, or of the rows alone. */
export const headOnly: Components = { ...components, table: contentOnly, tbody: nothing };
export const rowsOnly: Components = { ...components, table: contentOnly, thead: nothing, tbody: contentOnly };

/** A table in a container that scrolls sideways, by the keyboard too. */
export function TableBox({ children }: ElementProps): ReactElement {
  const words = useWords().markdown;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard alone could not scroll in every browser.
    <section className="mlango-table-box" aria-label={words.table} tabIndex={0}>
      <table>{children}</table>
    </section>
  );
}

function Cell({ node, children }: ElementProps): ReactElement {
  const isHead = node?.tagName === 'th';
  const align = node?.properties['align'];
  const props = { dir: 'auto', className: align === undefined ? undefined : `mlango-align-${String(align)}` };
  return isHead ? (
    <th {...props} scope="col">
      {children}
    </th>
  ) : (
    <td {...props}>{children}</td>
  );
}

function Code({ node }: ElementProps): ReactElement {
  const isOpen = useContext(OpenContext);
  const code = node?.children.find((child) => child.type === 'element');
  const language = /(?:^| )language-(\S+)/.exec(String(code?.properties['className'] ?? ''))?.[1];
  return (
    <CodeBlock code={code === undefined ? '' : textOf(code).replace(/\n$/, '')} language={language} isOpen={isOpen} />
  );
}

function CodeOrFormula({ children }: ElementProps): ReactElement {
  const math = useContext(MathContext);
  const formula = typeof children === 'string' ? formulaOfCode(children) : undefined;
  return formula === undefined || math === undefined ? <code>{children}</code> : <span>{math(formula, false)}</span>;
}

interface LinkProps extends ElementProps {
  readonly href?: string | undefined;
  readonly title?: string | undefined;
}

/** A link with its host, unless that is its text; opens a new tab. */
function Link({ node, href: target = '', title, children }: LinkProps): ReactNode {
  const link = safeLink(target);
  if (link === undefined) return <>{children}</>;
  const { href, host } = link;
  const text = node === undefined ? '' : textOf(node);
  const isNamed = host === undefined || [href, `${href}/`, host, target].includes(text) || href === `${text}/`;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" title={title}>
      {children}
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
  const [isRequested, setIsRequested] = useState(false);
  const link = safeLink(source);
  if (link?.host === undefined) return <span>{alternative}</span>;
  if (!isRequested) {
    return (
      <button type="button" className="mlango-image-button" onClick={() => setIsRequested(true)}>
        {words.showImage(alternative, link.host)}
      </button>
    );
  }
  return <img className="mlango-image" src={link.href} alt={alternative} referrerPolicy="no-referrer" />;
}

interface SafeLink {
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
