import { ScrollBox } from '../../shell/parts.js';
import { viewOfId } from '../find/forms-of.js';
import { decodedIn } from './decoded.js';
import { ChainLink } from './links.js';
import type { ChainQuery } from './requests.js';

/** The response behind a view, unchanged. */
export function RawAnswer({ query }: { readonly query: ChainQuery }) {
  const { answer } = query;
  if (answer === undefined) return null;
  return (
    <details className="raw">
      <summary>
        Raw answer: <code>{answer.path}</code>
      </summary>
      <JsonView value={answer.body} label="Answer" />
    </details>
  );
}

/** A piece of a printed answer, and the view that it names, if it does. */
export interface Piece {
  readonly text: string;
  readonly to?: readonly string[];
}

/** Fields that contain ids of a kind. */
const kinds: Readonly<Record<string, string>> = {
  claim_id: 'claims',
  collection_id: 'collections',
  height: 'blocks',
  subject_id: 'claims',
  txhash: 'transactions',
};
/** A JSON string, with the mark of a field name. */
const texts = /"((?:[^"\\]|\\.)*)"(: )?/g;

/** Splits printed JSON at ids that have a view; at most `limit` links. Pure. */
export function linksInJson(json: string, limit: number): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let links = 0;
  let name = '';
  for (const { 1: text = '', 2: colon, index } of json.matchAll(texts)) {
    const view = kinds[name];
    name = colon === undefined ? '' : text;
    if (colon !== undefined) continue;
    const to = view !== undefined && text !== '' && text !== '0' ? [view, text] : viewOfId(text);
    if (to === undefined) continue;
    if (links === limit) break;
    links += 1;
    pieces.push({ text: json.slice(from, index + 1) }, { text, to });
    from = index + 1 + text.length;
  }
  return [...pieces, { text: json.slice(from) }];
}

/** More than this is cut: a page of a browser should stay quick. */
const SHOWN_CHARS = 200_000;
const LINKS = 500;

/** A response as received, with links for ids and decoded base64 below. */
export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const isCut = text.length > SHOWN_CHARS;
  const decoded = decodedIn(value);
  return (
    <div className="stack">
      <ScrollBox className="json" label={label}>
        <pre>
          {linksInJson(isCut ? text.slice(0, SHOWN_CHARS) : text, LINKS).map(({ text: piece, to }, index) =>
            to === undefined ? (
              piece
            ) : (
              <ChainLink key={index} to={to}>
                {piece}
              </ChainLink>
            ),
          )}
        </pre>
      </ScrollBox>
      {isCut ? <p className="small quiet">Cut: the answer has {text.length} characters.</p> : null}
      {decoded.length === 0 ? null : (
        <details className="raw">
          <summary>Decoded base64</summary>
          <dl className="stack tight-stack">
            {decoded.map(({ path, text: decodedText }) => (
              <div key={path}>
                <dt className="small quiet mono">{path}</dt>
                <dd>
                  <pre className="path">{decodedText}</pre>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </div>
  );
}
