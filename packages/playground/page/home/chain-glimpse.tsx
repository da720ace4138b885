import { useLiveBlocks } from '../chain/live/use-live-blocks.js';

const SHOWN = 4;

/** The height of the chain as it grows, over the blocks before. */
export function ChainGlimpse() {
  const { blocks, isAway } = useLiveBlocks();
  if (isAway) return <p className="quiet small">The chain node cannot be reached.</p>;
  const height = blocks[0]?.height;
  return (
    <div className="small-chain">
      <p className="height">
        <span className="quiet small">Block</span>{' '}
        <strong key={height} className="tick" data-testid="glimpse-height">
          {heightText(height, 0)}
        </strong>
      </p>
      <ol aria-hidden="true">
        {Array.from({ length: SHOWN }, (_, at) => (
          <li key={at} className="mono small">
            {heightText(height, at + 1)}
          </li>
        ))}
      </ol>
    </div>
  );
}

function heightText(height: string | undefined, before: number): string {
  return height === undefined ? '…' : (Number(height) - before).toLocaleString('en');
}
