import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callTurnHook, graceAfterAbort, type TurnHooks } from './plugin-isolation.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new Promise<string>(() => undefined);

function callHook(signal: AbortSignal, work: () => string | Promise<string>) {
  const failures: string[] = [];
  const hooks: TurnHooks = { report: (plugin) => failures.push(plugin), aborted: graceAfterAbort(signal) };
  const answer = callTurnHook(hooks, 'slow', 'getSharedState', 'instead', work);
  return { answer, failures };
}

it('a hanging plugin is abandoned within 250 ms of the stop of its turn, and has not failed', async () => {
  const stopping = new AbortController();
  const { answer, failures } = callHook(stopping.signal, () => never);
  let given: string | undefined;
  void answer.then((text) => {
    given = text;
  });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(given).toBeUndefined();
  stopping.abort();
  await vi.advanceTimersByTimeAsync(250);
  expect([given, failures, vi.getTimerCount()]).toEqual(['instead', [], 0]);
});

it('a synchronous result of a plugin is used in a turn that was stopped before', async () => {
  const { answer } = callHook(AbortSignal.abort(), () => 'given');
  expect(await answer).toBe('given');
});

it('a hanging plugin in a running turn is skipped after ten seconds, and has failed', async () => {
  const { answer, failures } = callHook(new AbortController().signal, () => never);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([await answer, failures]).toEqual(['instead', ['slow']]);
});

const fixture = fileURLToPath(new URL('./unhandled-failure.fixture.ts', import.meta.url));
const start = ['--conditions=@mlango/source', '--import', 'tsx', fixture];

describe('an unhandled failure of a plugin', () => {
  it.each([
    ['rejection', 'in a call'],
    ['timer', 'in a call'],
    ['rejection', 'in a stream'],
  ])(
    'in a %s, started %s, is logged with the name of the plugin',
    async (...args) => {
      const { stdout } = await promisify(execFile)(process.execPath, [...start, ...args], { cwd: dirname(fixture) });
      expect(JSON.parse(stdout)).toEqual({ plugin: 'weather' });
    },
    30_000,
  );
});
