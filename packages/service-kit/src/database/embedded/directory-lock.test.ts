import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDirectory, processSpace, processStart } from './directory-lock.js';

let folder: string;
let directory: string;
const cleanUps: (() => void)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mlango-test-lock-'));
  directory = join(folder, 'data');
});
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

function lockFileOf(holder: object): void {
  writeFileSync(`${directory}.lock`, JSON.stringify({ token: 'other', start: '', space: processSpace(), ...holder }));
}

/** A process that lives until it is killed. */
function livingProcess() {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  cleanUps.push(() => void child.kill('SIGKILL'));
  const pid = child.pid ?? 0;
  return { child, pid, start: processStart(pid) ?? '' };
}

describe('a directory lock', () => {
  it('refuses a second holder, naming the directory, until the first releases the lock', async () => {
    const first = await lockDirectory(directory);
    await expect(lockDirectory(directory)).rejects.toThrow(`${directory} is in use by process ${process.pid}`);
    first.release();
    const second = await lockDirectory(directory);
    second.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('refuses while another process holds it, and is taken over once that one was killed', async () => {
    const { child, pid, start } = livingProcess();
    lockFileOf({ pid, start });
    await expect(lockDirectory(directory)).rejects.toThrow(`in use by process ${pid}`);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    const lock = await lockDirectory(directory);
    lock.release();
    expect(existsSync(`${directory}.lock`)).toBe(false);
  });

  it('detects a new process with the old one’s number', async () => {
    lockFileOf({ pid: livingProcess().pid, start: 'long ago' });
    const lock = await lockDirectory(directory);
    lock.release();
  });

  it('takes over a truncated lock file', async () => {
    writeFileSync(`${directory}.lock`, '{"pid":');
    const lock = await lockDirectory(directory);
    lock.release();
  });

  it('lets one of many contenders take over a dead holder’s lock', async () => {
    lockFileOf({ pid: livingProcess().pid, start: 'long ago' });
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(directory)));
    const winners = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    for (const { value } of winners) value.release();
  });

  it('respects the heartbeat of a holder in another container', async () => {
    lockFileOf({ pid: 1, start: 'x', space: 'elsewhere|boot|pid' });
    const beat = setInterval(() => utimesSync(`${directory}.lock`, new Date(), new Date()), 200);
    cleanUps.push(() => clearInterval(beat));
    await expect(lockDirectory(directory)).rejects.toThrow('process 1 on elsewhere');
  });

  it('takes over from a holder in another container after its heartbeat stopped', async () => {
    lockFileOf({ pid: 1, start: 'x', space: 'elsewhere|boot|pid' });
    const lock = await lockDirectory(directory, 600);
    lock.release();
  });

  it('does not remove a lock that it no longer owns', async () => {
    const lock = await lockDirectory(directory);
    lockFileOf({ pid: 1 });
    lock.release();
    expect(existsSync(`${directory}.lock`)).toBe(true);
  });
});
