import type { Metrics } from '@mlango/service-kit/metrics';

/** Counts answers by rpc and gRPC code. Requests that reached no rpc have the rpc `none`. */
export function countAnswers(metrics: Metrics): (rpc: string, code: number) => void {
  const answers = metrics.counter({
    name: 'proto_gateway_answers_total',
    help: 'Answers by rpc and gRPC status code.',
    labelNames: ['rpc', 'code'],
  });
  // Finding a series costs more than counting in it.
  const known = new Map<string, ReturnType<typeof answers.labels>>();
  return (rpc, code) => {
    const name = `${code} ${rpc}`;
    const series = known.get(name) ?? answers.labels({ rpc, code: String(code) });
    known.set(name, series);
    series.inc();
  };
}
