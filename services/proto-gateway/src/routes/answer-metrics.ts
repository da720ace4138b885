import type { Metrics } from '@mlango/service-kit/metrics';

/** Counts answers by rpc and gRPC code. Requests that reached no rpc have the rpc `none`. */
export function countAnswers(metrics: Metrics): (rpc: string, code: number) => void {
  const answers = metrics.counter({
    name: 'proto_gateway_answers_total',
    help: 'Answers by rpc and gRPC status code.',
    labelNames: ['rpc', 'code'],
  });
  return (rpc, code) => answers.inc({ rpc, code: String(code) });
}
