import type { FastifyReply, FastifyRequest } from 'fastify';

type Send = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Answers a failure once the limit is known: whoever is over it hears of that, and of nothing else. */
export function refusalFirst(send: Send) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> =>
    request.admission === undefined
      ? send(thrown, request, reply)
      : request.admission.then(
          () => send(thrown, request, reply),
          (refusal: unknown) => send(refusal, request, reply),
        );
}
