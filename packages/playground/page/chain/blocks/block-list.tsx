import { ChainLink } from '../here/chain-link.js';
import type { LiveBlocks } from '../live/use-live-blocks.js';
import { momentOf } from '../parts/words.js';

/** Blocks as they come, until one holds them. */
export function BlockList({ live: { blocks, isAway, isPaused, pause } }: { readonly live: LiveBlocks }) {
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
          : isAway
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
