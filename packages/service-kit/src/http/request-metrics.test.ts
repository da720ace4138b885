import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { RequestDurations } from './request-metrics.js';

it('request durations equal those of a plain histogram, as text and as data', async () => {
  const ours = new Registry();
  const durations = new RequestDurations(ours);
  const { help, name } = await durations.get();
  const plain = new Registry();
  const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
  const labelNames = ['method', 'route', 'status'] as const;
  const reference = new Histogram({ name, help, labelNames, buckets, registers: [plain] });
  for (const [method, route, status, seconds] of [
    ['GET', '/items/:id', 200, 0.001],
    ['GET', '/items/:id', 200, 0.003],
    ['GET', '/items/:id', 404, 31],
    ['POST', '/items/:id', 200, 0],
    ['POST', 'unmatched', 503, 30],
  ] as const) {
    durations.count(method, route, status, seconds);
    reference.observe({ method, route, status: String(status) }, seconds);
  }
  // The order of labels and of series is irrelevant.
  const inOrder = (text: string) =>
    text
      .split('\n')
      .map((line) => line.replace(/\{(.*)\}/, (_, labels: string) => labels.split(',').toSorted().join()))
      .toSorted();
  expect(inOrder(await ours.metrics())).toEqual(inOrder(await plain.metrics()));
  expect((await durations.get()).values).toHaveLength((await reference.get()).values.length);
});
