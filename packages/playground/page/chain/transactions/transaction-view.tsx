import { ChainLink } from '../here/chain-link.js';
import { paths } from '../here/paths.js';
import { Facts } from '../parts/facts.js';
import { Single } from '../parts/single.js';
import { type Coin, coinText, momentOf } from '../parts/words.js';
import { type Message, Messages } from './messages.js';

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
