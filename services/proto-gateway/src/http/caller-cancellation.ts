import type { HttpApp } from '@mlango/service-kit/http-app';
import type { FastifyReply } from 'fastify';
import { Cancellation } from '../nodes/cancellation.js';

/** Gives what is asked for a caller its end: when the caller is gone, and for a stream when the service closes. */
export type CancelWithCaller = (reply: FastifyReply, isStream: boolean) => Cancellation;

export function cancelWithCallers(app: HttpApp): CancelWithCaller {
  const streams = new Set<Cancellation>();
  // An open stream would hold the shutdown until its deadline.
  app.addHook('preClose', async () => {
    for (const cancellation of streams) if (!cancellation.aborted) cancellation.abort();
  });
  return (reply, isStream) => {
    const cancellation = new Cancellation();
    if (isStream) streams.add(cancellation);
    // It comes once by itself.
    reply.raw.on('close', () => {
      if (isStream) streams.delete(cancellation);
      // The caller is gone, and nobody waits for the node's reply.
      if (!reply.raw.writableEnded) cancellation.abort();
    });
    return cancellation;
  };
}
