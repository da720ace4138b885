import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@mlango/service-kit/logging';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { TenantRegistry } from './tenant-registry.js';
import { watchFolder } from './watch-flows.js';

it('unchanged files are read again a minute after a read that failed', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const folder = mkdtempSync(join(tmpdir(), 'ussd-watch-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'flow.yaml'), '');
  const read = vi.fn(async () => ({ services: [] }));
  read.mockRejectedValueOnce(new Error('the worker ended'));
  const outcomes: string[] = [];
  const watch = watchFolder(
    {
      folder,
      deployment: { appName: 'Test' },
      tenants: { revisions: [], activate: () => true } as unknown as TenantRegistry,
      everyMs: 1,
      logger: createLogger({ service: 'test', level: 'silent' }),
      onChange: (outcome) => outcomes.push(outcome),
    },
    () => ({ read: read as never, end: () => {} }),
  );
  onTestFinished(() => watch.stop());
  await vi.waitFor(() => expect(outcomes).toEqual(['refused']));
  vi.setSystemTime(Date.now() + 59_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(read).toHaveBeenCalledTimes(1);
  vi.setSystemTime(Date.now() + 1_001);
  await vi.waitFor(() => expect(outcomes).toEqual(['refused', 'served']));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(read).toHaveBeenCalledTimes(2);
});
