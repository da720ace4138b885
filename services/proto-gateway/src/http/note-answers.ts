import type { Metrics } from '@mlango/service-kit/metrics';
import { GRPC_CODES, httpStatusOf } from '@mlango/transcoder/grpc-status';
import type { FastifyRequest } from 'fastify';
import type { Answer } from '../query/answer.js';

/** Notes what was answered. `rpc` is undefined for a request that reached none. */
export type NoteAnswer = (request: FastifyRequest, answer: Answer, rpc: string | undefined) => void;

/** Counts answers, and logs what the node failed at. */
export function noteAnswers(metrics: Metrics): NoteAnswer {
  const count = countAnswers(metrics);
  return (request, answer, rpc) => {
    count(rpc ?? 'none', answer.code);
    logFailure(request, answer, rpc);
  };
}

/** Counts answers by rpc and gRPC code. Requests that reached no rpc have the rpc `none`. */
function countAnswers(metrics: Metrics): (rpc: string, code: number) => void {
  // By rpc, then by code. Finding a series costs more than counting, and is left to whoever reads.
  const unread = new Map<string, Map<number, number>>();
  metrics.counter({
    name: 'proto_gateway_answers_total',
    help: 'Answers by rpc and gRPC status code.',
    labelNames: ['rpc', 'code'],
    collect() {
      for (const [rpc, counts] of unread) {
        for (const [code, count] of counts) this.inc({ rpc, code: String(code) }, count);
      }
      unread.clear();
    },
  });
  return (rpc, code) => {
    let counts = unread.get(rpc);
    if (counts === undefined) {
      counts = new Map();
      unread.set(rpc, counts);
    }
    counts.set(code, (counts.get(code) ?? 0) + 1);
  };
}

/**
 * A failure of the node is worth a line with its own words, which the caller does not get. That a node is away is said
 * once, where its connection is watched, and not once more by each call it costs.
 */
function logFailure(request: FastifyRequest, answer: Answer, rpc: string | undefined): void {
  if (answer.failure === undefined || httpStatusOf(answer.code) < 500) return;
  const line = { rpc, code: answer.code, err: answer.failure };
  if (answer.code === GRPC_CODES.unavailable) request.log.debug(line, 'the chain node gave no answer');
  else request.log.warn(line, 'the chain node gave no answer');
}
