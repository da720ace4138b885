import { ChainLink } from '../here/chain-link.js';
import type { LiveBlocks } from './use-live-blocks.js';

/** The last block of the chain. */
export function HeightStrip({ live: { blocks, isAway, isPaused } }: { readonly live: LiveBlocks }) {
  const height = blocks[0]?.height;
  return (
    <p className="height-strip small">
      <span className={`lamp ${isAway ? 'off' : height === undefined || isPaused ? '' : 'on'}`} aria-hidden="true" />
      {isAway ? (
        'The chain node cannot be reached'
      ) : (
        <ChainLink to={['blocks']}>Block {height === undefined ? '…' : Number(height).toLocaleString('en')}</ChainLink>
      )}
    </p>
  );
}
