/** Milliseconds since the Unix epoch. */
export type Clock = () => number;

/** A block of the chain. */
export interface Block {
  readonly height: number;
  readonly timeMs: number;
}

/** When block 1 was made. Fixed, so that a given moment has the same height on every machine. */
export const GENESIS_MS = Date.UTC(2024, 0, 1);

/** Time between two blocks. */
export const BLOCK_MS = 6_000;

/** The last block at a moment; before the genesis it is block 1. */
export function latestBlock(nowMs: number): Block {
  return blockAt(1 + Math.max(0, Math.floor((nowMs - GENESIS_MS) / BLOCK_MS)));
}

/** The block of a height. */
export function blockAt(height: number): Block {
  return { height, timeMs: GENESIS_MS + (height - 1) * BLOCK_MS };
}
