import { useRoute } from '../../shell/use-route.js';
import { messageOf } from '../asking/ask-chain.js';
import { chainHref, useAsOf } from '../here/chain-href.js';
import { ChainLink } from '../here/chain-link.js';
import type { Finding } from './use-findings.js';

/** What can be looked for, each with its form. */
const known = [
  ['an entity or a person', 'did:ixo:entity:… or did:x:…', 'entities'],
  ['a claim, by its content id', 'bafkrei…', 'claims'],
  ['a collection, by its number', '1', 'collections'],
  ['a token, by 32 digits of a hash', 'f36afe45…', 'tokens'],
  ['an account or a contract', 'ixo1…', undefined],
  ['a validator', 'ixovaloper1…', 'validators'],
  ['a transaction, by 64 digits of its hash', '40B3F6F4…', undefined],
  ['a block, by its height', '15226800', 'blocks'],
] as const;

interface NothingFoundProps {
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** A text that names nothing: what it was taken for, and what could be tried. */
export function NothingFound({ text, findings }: NothingFoundProps) {
  const at = useAsOf();
  const [, ...parts] = useRoute();
  return (
    <section className="stack" aria-labelledby="nothing-heading">
      <h2 id="nothing-heading" className="break">
        Nothing found for {text}
      </h2>
      {findings.length === 0 ? (
        <p>This is not an id of a known form. Check it against the list below.</p>
      ) : (
        <div className="notice" role="alert">
          <ul className="stack tight-stack">
            {findings.map(({ sought, answer }) => (
              <li key={sought.path}>
                As {article(sought.kind)}: {messageOf(answer)} ({answer.status})
              </li>
            ))}
          </ul>
        </div>
      )}
      {at === undefined ? null : (
        <p>
          This is the chain as of block {Number(at).toLocaleString('en')}.{' '}
          <a href={chainHref(parts)}>Go to the latest block</a>
        </p>
      )}
      <p>What can be found:</p>
      <ul className="linked">
        {known.map(([what, form, view]) => (
          <li key={what}>
            <span>
              {view === undefined ? what : <ChainLink to={[view]}>{what}</ChainLink>}: <code>{form}</code>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function article(kind: string): string {
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
}
