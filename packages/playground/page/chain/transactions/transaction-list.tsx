import { useAnswer } from '../asking/use-answer.js';
import { ChainLink } from '../here/chain-link.js';
import { paths } from '../here/paths.js';
import { Outcome } from '../parts/outcome.js';
import { momentOf, shortId } from '../parts/words.js';
import type { Message } from './messages.js';

interface Found {
  readonly total: string;
  readonly tx_responses: readonly {
    readonly height: string;
    readonly txhash: string;
    readonly code: number;
    readonly timestamp: string;
    readonly tx: { readonly body?: { readonly messages: readonly Message[] } } | null;
  }[];
}

interface TransactionListProps {
  readonly title: string;
  /** What the node's index of transactions is asked for: `message.sender='…'`. */
  readonly query: string;
}

const SHOWN = 20;

/** The newest transactions that an event tells of. */
export function TransactionList({ title, query }: TransactionListProps) {
  const search = new URLSearchParams({ query, order_by: 'ORDER_BY_DESC', page: '1', limit: String(SHOWN) });
  const asked = useAnswer(`${paths.transactions}?${search}`);
  return (
    <section className="card stack" aria-label={title}>
      <h3>{title}</h3>
      <Outcome asked={asked} isShort>
        {(body) => {
          const { tx_responses: found, total } = body as Found;
          if (found.length === 0) return <p className="quiet">No transactions on this node</p>;
          return (
            <>
              <ul className="linked">
                {found.map(({ txhash, height, code, timestamp, tx }) => (
                  <li key={txhash}>
                    <span className="row">
                      <ChainLink to={['transactions', txhash]} className="mono" title={txhash}>
                        {shortId(txhash)}
                      </ChainLink>
                      {code === 0 ? null : <span className="badge bad">Failed</span>}
                    </span>
                    <span className="small quiet">
                      {tx?.body?.messages.map((message) => String(message['@type']).split('.').at(-1)).join(', ')} in{' '}
                      <ChainLink to={['blocks', height]}>block {Number(height).toLocaleString('en')}</ChainLink>,{' '}
                      {momentOf(timestamp)}
                    </span>
                  </li>
                ))}
              </ul>
              {Number(total) > found.length ? (
                <p className="small quiet">
                  The newest {found.length} of {total}.
                </p>
              ) : null}
            </>
          );
        }}
      </Outcome>
    </section>
  );
}
