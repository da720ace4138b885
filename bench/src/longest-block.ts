/**
 * Measures the longest time for which the event loop of a service does not turn, as processor time between two ticks of a timer, so that other
 * processes of the machine do not count. The service preloads this module.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const TICK_MS = 5;
const ANSWER_MS = 5000;

/** The file to which a measured service writes its longest block in ms on SIGWINCH, an otherwise unused signal. */
export interface BlockMeter {
  readonly file: string;
  /** For the environment of the service. */
  readonly env: Readonly<Record<string, string>>;
}

export function blockMeter(): BlockMeter {
  const file = join(mkdtempSync(join(tmpdir(), 'bench-block-')), 'ms');
  return { file, env: { NODE_OPTIONS: `--import=${import.meta.url}`, LONGEST_BLOCK_FILE: file } };
}

/** The longest block since the last call, in ms. */
export async function takeLongestBlock({ file }: BlockMeter, pid: number): Promise<number> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGWINCH');
  for (let waitedMs = 0; waitedMs < ANSWER_MS; waitedMs += TICK_MS) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (text !== '') return Number(text);
    await sleep(TICK_MS);
  }
  return Number.NaN;
}

function measure(file: string): void {
  let longestMs = 0;
  let before = process.cpuUsage();
  let at = performance.now();
  setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    // The processor time of other threads counts, too: a block is no longer than the time that passed.
    longestMs = Math.max(longestMs, Math.min((user + system) / 1000, performance.now() - at));
    before = process.cpuUsage();
    at = performance.now();
  }, TICK_MS).unref();
  process.on('SIGWINCH', () => {
    writeFileSync(file, longestMs.toFixed(1));
    longestMs = 0;
  });
}

const { LONGEST_BLOCK_FILE } = process.env;
if (LONGEST_BLOCK_FILE !== undefined) measure(LONGEST_BLOCK_FILE);
