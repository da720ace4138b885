import type { ReactNode } from 'react';
import { useQuery, useRoute } from '../../shell/use-route.js';
import { formsOf } from '../find/forms-of.js';
import { RawAnswer } from './json-view.js';
import { ChainLink, chainHref, useAsOf } from './links.js';
import { type ChainQuery, messageOf, useChainQuery } from './requests.js';

interface SingleProps {
  /** The kind, as a word. */
  readonly kind: string;
  readonly id: string;
  readonly path: string;
  /** The list that contains it, if there is one, and its name. */
  readonly list?: readonly [view: string, name: string];
  readonly children: (body: never) => ReactNode;
}

/** One thing of the chain, and the answer behind it. */
export function Single({ kind, id, path, list, children }: SingleProps) {
  const query = useChainQuery(path);
  return (
    <section className="stack" aria-label={`${kind} ${id}`} aria-busy={query.isLoading}>
      {list === undefined ? null : (
        <p>
          <ChainLink to={[list[0]]}>← All {list[1]}</ChainLink>
        </p>
      )}
      <Outcome query={query} sought={id}>
        {(body) => children(body as never)}
      </Outcome>
      <RawAnswer query={query} />
    </section>
  );
}

interface OutcomeProps {
  readonly query: ChainQuery;
  /** A short result: no space is reserved while it loads. */
  readonly isShort?: boolean;
  /** The requested id: a missing object may be of another kind. */
  readonly sought?: string;
  readonly children: (body: unknown) => ReactNode;
}

/** The answer, or the reason why there is none. */
export function Outcome({ query, isShort = false, sought, children }: OutcomeProps) {
  const { answer, retry } = query;
  if (answer === undefined) return <p className={`quiet waiting ${isShort ? 'short' : ''}`}>Loading…</p>;
  if (answer.ok) return children(answer.body);
  return (
    <div className="notice bad stack tight-stack" role="alert">
      <div className="row spread">
        <span>
          {sought !== undefined && answer.status === 404 ? (
            <>
              <strong>
                Not found: <span className="break">{sought}</span>
              </strong>{' '}
            </>
          ) : null}
          {answer.status === 0 ? '' : `${answer.status}: `}
          {messageOf(answer)}
        </span>
        <button type="button" className="tight" onClick={retry}>
          Retry
        </button>
      </div>
      {sought !== undefined && answer.status < 500 ? <WaysOn sought={sought} /> : null}
    </div>
  );
}

function WaysOn({ sought }: { readonly sought: string }) {
  const at = useAsOf();
  const [, ...parts] = useRoute();
  const others = formsOf(sought).filter(({ to }) => to[0] !== parts[0]);
  const look = Object.fromEntries(useQuery());
  return (
    <p className="row">
      {others.map(({ kind, to }) => (
        <ChainLink key={kind} to={to}>
          Go to the {kind} with this id
        </ChainLink>
      ))}
      <ChainLink to={['find', sought]}>Search for this id everywhere</ChainLink>
      {at === undefined ? null : <a href={chainHref(parts, { ...look, at: undefined })}>Go to the latest block</a>}
    </p>
  );
}
