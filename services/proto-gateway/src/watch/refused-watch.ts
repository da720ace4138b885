import { GRPC_CODES, type RpcStatus } from '@mlango/transcoder/grpc-status';
import type { SeatLimits } from './watch-seats.js';

/** Why there is no room for a watch. */
export type WatchRefusal = 'client' | 'total' | 'queries' | 'closing';

export function refusedWatch(why: WatchRefusal, { perClient }: SeatLimits): RpcStatus {
  const code = why === 'client' ? GRPC_CODES.resourceExhausted : GRPC_CODES.unavailable;
  return { code, message: WORDS[why](perClient), details: [] };
}

const WORDS: Readonly<Record<WatchRefusal, (perClient: number) => string>> = {
  client: (perClient) => `One caller may have ${perClient} watches open, and these are. Close one first.`,
  total: () => 'This gateway has as many watches open as it may have. Try again shortly.',
  queries: () => 'As many queries are watched here as may be. Try again shortly.',
  closing: () => 'This gateway is about to stop. Try again shortly.',
};
