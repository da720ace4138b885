import { randomUUID } from 'node:crypto';
import { createLogger } from '@mlango/service-kit/logging';
import { Analytics, type AnalyticsParts } from './analytics.js';
import { CountBuffer } from './count-buffer.js';
import type { CountStore } from './count-store.js';

const noCounts = { add: async () => {}, read: async () => [] };

/** Analytics that store their counts when they are read. @param counts none are stored if absent. */
export function analyticsOn(
  counts: CountStore | undefined,
  { clock, sessionTtlMs }: Pick<AnalyticsParts, 'clock' | 'sessionTtlMs'> = { clock: Date.now, sessionTtlMs: 0 },
  onAnswerOf: (tenant: string) => (ms: number) => void = () => () => {},
): (tenant: string) => Analytics {
  const store = counts ?? noCounts;
  const logger = createLogger({ service: 'test', level: 'silent' });
  const options = { store, logger, clock, writer: randomUUID(), flushIntervalMs: 3_600_000 };
  const buffer = new CountBuffer(options);
  return (tenant) => new Analytics(tenant, { buffer, store, clock, sessionTtlMs, onAnswer: onAnswerOf(tenant) });
}
