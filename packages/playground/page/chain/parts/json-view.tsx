import { ScrollBox } from '../../shell/scroll-box.js';
import { ChainLink } from '../here/chain-link.js';
import { decodedIn } from './decoded.js';
import { linksInJson } from './links-in-json.js';

/** More than this is cut: a page of a browser should stay quick. */
const SHOWN_CHARS = 200_000;
const LINKS = 500;

/** An answer as it came, its ids as links, and under it what base64 in it says. */
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
            {decoded.map(({ path, text: said }) => (
              <div key={path}>
                <dt className="small quiet mono">{path}</dt>
                <dd>
                  <pre className="path">{said}</pre>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </div>
  );
}
