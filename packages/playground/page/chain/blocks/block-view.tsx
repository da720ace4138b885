import { ChainLink } from '../here/chain-link.js';
import { paths } from '../here/paths.js';
import { Facts } from '../parts/facts.js';
import { Single } from '../parts/single.js';
import { momentOf } from '../parts/words.js';
import { type Message, Messages } from '../transactions/messages.js';

interface Block {
  readonly txs: readonly { readonly body: { readonly messages: readonly Message[]; readonly memo: string } | null }[];
  readonly block: { readonly header: { readonly height: string; readonly time: string; readonly chain_id: string } };
}

export function BlockView({ id }: { readonly id: string }) {
  return (
    <Single kind="Block" id={id} path={paths.block(id)} list={['blocks', 'blocks']}>
      {({ block: { header }, txs }: Block) => (
        <div className="stack">
          <article className="card stack">
            <h2>Block {Number(header.height).toLocaleString('en')}</h2>
            <Facts
              facts={[
                ['Time', momentOf(header.time)],
                ['Chain', header.chain_id],
                ['Transactions', String(txs.length)],
              ]}
            />
            <nav className="row" aria-label="Previous and next block">
              {Number(header.height) > 1 ? (
                <ChainLink to={['blocks', String(Number(header.height) - 1)]}>← Previous block</ChainLink>
              ) : null}
              <ChainLink to={['blocks', String(Number(header.height) + 1)]}>Next block →</ChainLink>
            </nav>
          </article>
          {txs.map(({ body }, index) => (
            <Messages key={index} messages={body?.messages ?? []} memo={body?.memo ?? ''} />
          ))}
        </div>
      )}
    </Single>
  );
}
