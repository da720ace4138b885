import { GRPC_CODES, type RpcStatus } from '@mlango/transcoder/grpc-status';
import type { WatchPools } from './watching.js';

/** Why there is no room for a watch. */
export type WatchRefusal = 'client' | 'address' | 'total' | 'queries' | 'closing';

export function refusedWatch(why: WatchRefusal, { watches }: WatchPools): RpcStatus {
  const code = why === 'client' || why === 'address' ? GRPC_CODES.resourceExhausted : GRPC_CODES.unavailable;
  return { code, message: WORDS[why](watches.shareOf(why) ?? 0), details: [] };
}

const WORDS: Readonly<Record<WatchRefusal, (share: number) => string>> = {
  client: (share) => `One caller may have ${share} watches open, and these are. Close one first.`,
  address: (share) => `Callers of one address may have ${share} watches open, and these are. Close one first.`,
  total: () => 'This gateway has as many watches open as it may have. Try again shortly.',
  queries: () => 'As many queries are watched here as may be. Try again shortly.',
  closing: () => 'This gateway is about to stop. Try again shortly.',
};
