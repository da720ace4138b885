import { Worker } from 'node:worker_threads';
import { Places } from '../../models/places.js';
import { ReadError } from './read-problem.js';

const limits = { maxPages: 500, maxChars: 1_000_000 };
const memory = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** Threads at one time: more would take the processor from everybody else. */
const threads = new Places(2);

/**
 * The text of a PDF, of its first 500 pages. A thread of its own reads it, and is ended with `signal`.
 * @throws ReadError
 */
export async function pdfText(bytes: Buffer, signal: AbortSignal): Promise<string> {
  if (!(await threads.enter(signal))) throw new ReadError('timeout');
  try {
    const text = await readInThread(bytes, signal);
    if (text.trim() === '') throw new ReadError('no_text');
    return text;
  } finally {
    threads.leave();
  }
}

function readInThread(bytes: Buffer, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./pdf-text.worker.mjs', import.meta.url), {
      workerData: { bytes: new Uint8Array(bytes), ...limits },
      resourceLimits: memory,
      // Nothing of this process is its business, and its words are for no log.
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    let isEnding = false;
    const end = (settle: () => void) => {
      if (isEnding) return;
      isEnding = true;
      signal.removeEventListener('abort', onAbort);
      // Whoever waits for the text waits for the thread too: only then is its place free.
      void worker.terminate().then(settle, settle);
    };
    const onAbort = () => end(() => reject(new ReadError('timeout')));
    worker.once('message', (text: unknown) => end(() => resolve(String(text))));
    worker.once('error', () => end(() => reject(new ReadError('damaged'))));
    worker.once('exit', () => end(() => reject(new ReadError('damaged'))));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}
