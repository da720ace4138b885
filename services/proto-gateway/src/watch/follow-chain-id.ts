import { readChainId } from '../nodes/chain-id.js';
import type { ChainNode } from '../nodes/chain-node.js';
import type { BlockFeed } from './block-feed.js';

const TIMEOUT_MS = 900;

/** Knows which chain the nodes belong to, and asks again when they were away, or went back: others may be behind their names. */
export function followChainId(node: ChainNode, blocks: BlockFeed): () => string | undefined {
  let id: string | undefined;
  let isAsking = false;
  let height = 0;
  const ask = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    id = (await readChainId(node, TIMEOUT_MS)) ?? id;
    isAsking = false;
  };
  if (!blocks.isAway) void ask();
  blocks.onAway.add((isAway) => {
    if (!isAway) void ask();
  });
  blocks.onBlock.add((block) => {
    if (id === undefined || block.height < height) void ask();
    height = block.height;
  });
  return () => id;
}
