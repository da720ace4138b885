import type { ReactNode } from 'react';
import { useQuery, useRoute } from '../../shell/use-route.js';
import { messageOf } from '../asking/ask-chain.js';
import type { Asked } from '../asking/use-answer.js';
import { chainHref, useAsOf } from '../here/chain-href.js';
import { ChainLink } from '../here/chain-link.js';

interface OutcomeProps {
  readonly asked: Asked;
  /** A line or two: no room is kept for more while it is awaited. */
  readonly isShort?: boolean;
  /** The id that is asked for: one that is not there may be something else. */
  readonly sought?: string;
  readonly children: (body: unknown) => ReactNode;
}

/** What was answered, or why there is nothing to show. */
export function Outcome({ asked, isShort = false, sought, children }: OutcomeProps) {
  const { answer, askAgain } = asked;
  if (answer === undefined) return <p className={`quiet waiting ${isShort ? 'short' : ''}`}>Asking the chain…</p>;
  if (answer.ok) return children(answer.body);
  return (
    <div className="notice bad stack tight-stack" role="alert">
      <div className="row spread">
        <span>
          {answer.status === 0 ? '' : `${answer.status}: `}
          {messageOf(answer)}
        </span>
        <button type="button" className="tight" onClick={askAgain}>
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
  const look = Object.fromEntries(useQuery());
  return (
    <p className="row">
      <ChainLink to={['find', sought]}>Look for it as anything else</ChainLink>
      {at === undefined ? null : (
        <a href={chainHref(parts, { ...look, at: undefined })}>
          Leave block {Number(at).toLocaleString('en')} for the latest
        </a>
      )}
    </p>
  );
}
