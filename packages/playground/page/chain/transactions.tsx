import { Facts } from './parts/facts.js';
import { type Coin, coinText, momentOf, shortId } from './parts/format.js';
import { JsonView } from './parts/json-view.js';
import { ChainLink } from './parts/links.js';
import { Outcome, Single } from './parts/outcome.js';
import { paths } from './parts/paths.js';
import { useChainQuery } from './parts/requests.js';

export type Message = Readonly<Record<string, unknown>>;

/** The messages of a transaction. */
export function Messages({ messages, memo }: { readonly messages: readonly Message[]; readonly memo: string }) {
  return (
    <section className="card stack" aria-label="Messages">
      {memo === '' ? null : <p>Memo: “{memo}”</p>}
      {messages.map((message, index) => {
        const { '@type': type, ...fields } = message;
        const name = String(type).split('.').at(-1) ?? '';
        return (
          <div key={index} className="stack tight-stack">
            <h3>{name}</h3>
            <JsonView value={fields} label={`Message ${index + 1}`} />
          </div>
        );
      })}
    </section>
  );
}

interface Transaction {
  readonly tx: {
    readonly body: { readonly messages: readonly Message[]; readonly memo: string } | null;
    readonly auth_info: { readonly fee: { readonly amount: readonly Coin[] } | null } | null;
  };
  readonly tx_response: {
    readonly height: string;
    readonly txhash: string;
    readonly code: number;
    readonly raw_log: string;
    readonly timestamp: string;
    readonly gas_used: string;
    readonly gas_wanted: string;
  };
}

export function TransactionView({ id }: { readonly id: string }) {
  return (
    <Single kind="Transaction" id={id} path={paths.transaction(id)}>
      {({ tx, tx_response: done }: Transaction) => (
        <div className="stack">
          <article className="card stack">
            <h2 className="break">Transaction {done.txhash}</h2>
            <span className={`badge ${done.code === 0 ? 'good' : 'bad'}`}>{done.code === 0 ? 'Done' : 'Failed'}</span>
            <Facts
              facts={[
                [
                  'In block',
                  <ChainLink key="block" to={['blocks', done.height]}>
                    {Number(done.height).toLocaleString('en')}
                  </ChainLink>,
                ],
                ['At', momentOf(done.timestamp)],
                ['Fee', tx.auth_info?.fee?.amount.map(coinText).join(', ')],
                ['Gas', `${done.gas_used} of ${done.gas_wanted}`],
                ['Error', done.code === 0 ? '' : done.raw_log],
              ]}
            />
          </article>
          <Messages messages={tx.body?.messages ?? []} memo={tx.body?.memo ?? ''} />
        </div>
      )}
    </Single>
  );
}

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
  /** The event filter for the node's transaction index: `message.sender='…'`. */
  readonly query: string;
}

const SHOWN = 20;

/** The newest transactions of an event filter. */
export function TransactionList({ title, query }: TransactionListProps) {
  const search = new URLSearchParams({ query, order_by: 'ORDER_BY_DESC', page: '1', limit: String(SHOWN) });
  const found = useChainQuery(`${paths.transactions}?${search}`);
  return (
    <section className="card stack" aria-label={title}>
      <h3>{title}</h3>
      <Outcome query={found} isShort>
        {(body) => {
          const { tx_responses: transactions, total } = body as Found;
          if (transactions.length === 0) return <p className="quiet">No transactions on this node</p>;
          return (
            <>
              <ul className="linked">
                {transactions.map(({ txhash, height, code, timestamp, tx }) => (
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
              {Number(total) > transactions.length ? (
                <p className="small quiet">
                  The newest {transactions.length} of {total}.
                </p>
              ) : null}
            </>
          );
        }}
      </Outcome>
    </section>
  );
}
