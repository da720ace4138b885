import { createLogger } from '@mlango/service-kit/logging';
import { expect, it, vi } from 'vitest';
import { startRetentionJob } from './retention-job.js';

const logger = createLogger({ service: 'test', level: 'silent' });

it('runs batch by batch until few rows are left, continues after a failure, and ends when it is stopped', async () => {
  let left = 1700;
  let calls = 0;
  const purgeOld = async (limit: number) => {
    calls++;
    if (calls === 2) throw new Error('away');
    const removed = Math.min(limit, left);
    left -= removed;
    return removed;
  };
  const purge = startRetentionJob({ purges: [purgeOld], logger }, () => 1);
  await vi.waitFor(() => expect(left).toBe(0));
  await purge.stop();
  const after = calls;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(calls).toBe(after);
});

it('runs the other purges after one that always fails, and logs each failure', async () => {
  const lines: string[] = [];
  const capture = { write: (line: string) => lines.push(line) };
  let purged = 0;
  const purges = [
    async () => Promise.reject(new Error('no such table')),
    async () => {
      purged += 1;
      return 0;
    },
  ];
  const log = createLogger({ service: 'test', level: 'warn', destination: capture });
  const job = startRetentionJob({ purges, logger: log }, () => 1);
  await vi.waitFor(() => expect(purged).toBeGreaterThan(1));
  await job.stop();
  expect(lines.filter((line) => line.includes('retention job failed')).length).toBeGreaterThan(1);
});
