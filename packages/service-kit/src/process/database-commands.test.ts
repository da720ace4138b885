import { afterEach, describe, expect, it, vi } from 'vitest';
import { capturedLog } from '../database/captured-log.fixture.js';
import { migrateAndEnd } from './database-commands.js';

afterEach(() => {
  process.exitCode = 0;
  vi.restoreAllMocks();
});

describe('a process that migrates and ends', () => {
  it('closes the database once it is up to date, with exit code 0', async () => {
    const close = vi.fn<() => Promise<void>>(async () => undefined);
    await migrateAndEnd({ migrated: Promise.resolve(), ping: async () => undefined, close }, capturedLog().logger);
    expect([close.mock.calls.length, process.exitCode ?? 0]).toEqual([1, 0]);
  });

  it('names the obstacle after its deadline, with exit code 1', async () => {
    const { logger, lines } = capturedLog();
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const close = vi.fn<() => Promise<void>>(async () => undefined);
    const ping = () => Promise.reject(new Error('a database migration fails: no such column'));
    await migrateAndEnd({ migrated: new Promise(() => undefined), ping, close }, logger, 5);
    expect(process.exitCode).toBe(1);
    expect(close).toHaveBeenCalledTimes(1);
    expect(String(written.mock.calls[0])).toContain(
      'could not be brought up to date: a database migration fails: no such',
    );
    expect(lines.join('')).toContain('database migration failed');
  });
});
