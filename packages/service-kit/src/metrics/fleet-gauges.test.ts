import { describe, expect, it } from 'vitest';
import { createLogger } from '../logging/index.js';
import { fleetGauges } from './fleet-gauges.js';
import { createMetrics } from './metrics.js';

interface Row {
  readonly shelf: string;
  readonly books: number;
  readonly pages?: number;
}

function library(read: () => Promise<readonly Row[]>) {
  const metrics = createMetrics({ service: 'library', version: '0' });
  fleetGauges(metrics, {
    read,
    labelNames: ['shelf'],
    labelsOf: ({ shelf }) => ({ shelf }),
    gauges: [
      { name: 'books', help: 'Books.', of: ({ books }) => books },
      { name: 'pages', help: 'Pages.', of: ({ pages }) => pages },
    ],
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
  return () => metrics.registry.metrics();
}

describe('gauges of what all replicas share', () => {
  it('come from one read, carry the fleet scope, and omit unknown values', async () => {
    let reads = 0;
    const text = library(async () => {
      reads += 1;
      return [
        { shelf: 'a', books: 2, pages: 300 },
        { shelf: 'b', books: reads },
      ];
    });
    await text();
    const reported = await text();
    expect(reported.split('\n').filter((line) => /^(books|pages)\{/.test(line))).toEqual([
      'books{shelf="a",scope="fleet",service="library"} 2',
      'books{shelf="b",scope="fleet",service="library"} 1',
      'pages{shelf="a",scope="fleet",service="library"} 300',
    ]);
  });

  it('are absent while the store cannot be read, and leave other metrics intact', async () => {
    const reported = await library(() => Promise.reject(new Error('away')))();
    expect(reported).not.toMatch(/^(books|pages)\{/m);
    expect(reported).toContain('service_build_info');
  });
});
