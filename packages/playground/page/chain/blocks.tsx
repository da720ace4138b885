import { Facts } from './parts/facts.js';
import { momentOf } from './parts/format.js';
import { ChainLink } from './parts/links.js';
import type { LiveBlocks } from './parts/live-blocks.js';
import { Single } from './parts/outcome.js';
import { paths } from './parts/paths.js';
import { type Message, Messages } from './transactions.js';

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

/** Blocks as they arrive, until paused. */
export function BlockList({ live: { blocks, isUnreachable, isPaused, pause } }: { readonly live: LiveBlocks }) {
  return (
    <section className="stack" aria-labelledby="blocks-heading">
      <div className="row spread">
        <h2 id="blocks-heading">Blocks</h2>
        <button type="button" aria-pressed={isPaused} onClick={() => pause(!isPaused)}>
          {isPaused ? 'Resume' : 'Pause'}
        </button>
      </div>
      <p className="small quiet" role="status">
        {isPaused
          ? 'Paused'
          : isUnreachable
            ? 'The chain node cannot be reached'
            : 'Live: a new block about every six seconds'}
      </p>
      {/* A reader of screens would be interrupted by each block: the list is read when one goes there. */}
      <ol className="linked live-blocks" aria-live="off">
        {blocks.map(({ height, time }) => (
          <li key={height} className="card row spread">
            <ChainLink to={['blocks', height]}>{Number(height).toLocaleString('en')}</ChainLink>
            <span className="small quiet">{momentOf(time) ?? 'Not received'}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
