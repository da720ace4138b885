import type { WireRequest } from './aggregators.js';
import { screenOf } from './aggregators.js';
import { type HopReply, send } from './send.js';

/** Labels of the network faults. */
export const faults = {
  none: 'none',
  noResponse: 'response lost',
  twice: 'request delivered twice',
  late: 'response 3 s late',
} as const;
export type Fault = keyof typeof faults;

const lateMs = 3000;

/** Sends a hop through a network with a fault. Never rejects. */
export async function sendWithFault(base: string, request: WireRequest, fault: Fault): Promise<HopReply> {
  if (fault === 'twice') {
    const [first, second] = await Promise.all([send(base, request), send(base, request)]);
    return isSame(request, first, second)
      ? first
      : { ...first, body: `${first.body}\n(The second delivery: ${second.body})` };
  }
  const reply = await send(base, request);
  if (fault === 'noResponse')
    return { ...reply, status: 0, body: 'The gateway answered, but the response did not arrive.', replyBytes: 0 };
  if (fault === 'late') await new Promise((resolve) => setTimeout(resolve, lateMs));
  return fault === 'late' ? { ...reply, tookMs: reply.tookMs + lateMs } : reply;
}

/** Whether two replies show the same screen. */
export function isSame({ aggregator }: WireRequest, one: HopReply, other: HopReply): boolean {
  const [first, second] = [screenOf(aggregator, one), screenOf(aggregator, other)];
  return first.kind === second.kind && first.message === second.message;
}
