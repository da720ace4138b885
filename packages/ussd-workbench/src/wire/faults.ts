import type { WireRequest } from './aggregators.js';
import { screenOf } from './aggregators.js';
import { type HopReply, send } from './send.js';

/** What a network does to a hop, by how it is called. */
export const faults = {
  none: 'arrives as it should',
  lost: 'loses its reply',
  twice: 'is delivered twice at once',
  late: 'takes 3 seconds longer',
} as const;
export type Fault = keyof typeof faults;

const lateMs = 3000;

/** Sends a hop as a network with a fault does. Never rejects. */
export async function sendWithFault(base: string, request: WireRequest, fault: Fault): Promise<HopReply> {
  if (fault === 'twice') {
    const [first, second] = await Promise.all([send(base, request), send(base, request)]);
    return isSame(request, first, second)
      ? first
      : { ...first, body: `${first.body}\n(The other delivery: ${second.body})` };
  }
  const reply = await send(base, request);
  if (fault === 'lost')
    return { ...reply, status: 0, body: 'The gateway answered, and its reply was lost.', replyBytes: 0 };
  if (fault === 'late') await new Promise((resolve) => setTimeout(resolve, lateMs));
  return fault === 'late' ? { ...reply, tookMs: reply.tookMs + lateMs } : reply;
}

/** Whether two replies show the same screen. */
export function isSame({ aggregator }: WireRequest, one: HopReply, other: HopReply): boolean {
  const [first, second] = [screenOf(aggregator, one), screenOf(aggregator, other)];
  return first.kind === second.kind && first.message === second.message;
}
