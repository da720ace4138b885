import { Worker } from 'node:worker_threads';
import { SemaphoreFullError } from '@mlango/async/fair-semaphore';
import type { SharedPool } from '../../shared-pools.js';
import type { Holder } from './attachment-pools.js';
import { ReadError } from './read/read-problem.js';

const limits = { maxPages: 500, maxChars: 1_000_000 };
const memory = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
/** Limit of processor time for one PDF, and the interval of its checks, in ms. */
const cpuTime = { limitMs: 4_000, lookMs: 100 };

/**
 * Reads the text of a PDF's first 500 pages in a thread, which is terminated at the abort of `signal` or after its processor time.
 *
 * @param threads the pool that the thread is taken from
 * @throws ReadError
 */
export async function pdfText(
  bytes: Buffer,
  threads: SharedPool,
  holder: Holder,
  signal: AbortSignal,
  cpuLimitMs = cpuTime.limitMs,
): Promise<string> {
  const permit = await threads.acquire(holder, { signal }).catch((error: unknown) => {
    throw new ReadError(error instanceof SemaphoreFullError ? 'busy' : 'timeout');
  });
  try {
    const text = await readInThread(bytes, signal, cpuLimitMs);
    if (text.trim() === '') throw new ReadError('no_text');
    return text;
  } finally {
    permit.release();
  }
}

function readInThread(bytes: Buffer, signal: AbortSignal, cpuLimitMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./pdf-text.worker.mjs', import.meta.url), {
      workerData: { bytes: new Uint8Array(bytes), ...limits },
      resourceLimits: memory,
      // The thread has no environment variables of the process, and its output is not logged.
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    let isEnding = false;
    const end = (settle: () => void) => {
      if (isEnding) return;
      isEnding = true;
      clearInterval(looking);
      signal.removeEventListener('abort', onAbort);
      // The permit is released only when the thread has ended.
      void worker.terminate().then(settle, settle);
    };
    const onAbort = () => end(() => reject(new ReadError('timeout')));
    // Node 20 cannot measure the processor time of one thread; the busy time of its event loop is close, but includes waits for a
    // processor.
    const looking = setInterval(() => {
      if (worker.performance.eventLoopUtilization().active > cpuLimitMs) onAbort();
    }, cpuTime.lookMs);
    worker.once('message', (text: unknown) => end(() => resolve(String(text))));
    worker.once('error', () => end(() => reject(new ReadError('damaged'))));
    worker.once('exit', () => end(() => reject(new ReadError('damaged'))));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}
