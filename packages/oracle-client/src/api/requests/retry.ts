import { OracleRequestError } from './request-error.js';

/** Statuses after which the same request may succeed: 0 is no reply at all. */
const passingStatuses = new Set([0, 408, 425, 429]);

/** Whether a request may succeed if it is made again. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof OracleRequestError)) return false;
  return passingStatuses.has(error.statusCode) || error.statusCode >= 500;
}

const firstMs = 250;
const longestMs = 10_000;

/**
 * Waits before an attempt, longer each time and never for as long as everybody else, or until the browser is online again.
 * Rejects with the signal's reason.
 */
export async function pauseBefore(attempt: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const waitMs = Math.min(longestMs, firstMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
  await new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      globalThis.removeEventListener?.('online', onOnline);
    };
    const onOnline = () => {
      end();
      resolve();
    };
    const onAbort = () => {
      end();
      reject(signal.reason as Error);
    };
    const timer = setTimeout(onOnline, waitMs);
    signal.addEventListener('abort', onAbort);
    globalThis.addEventListener?.('online', onOnline);
  });
}

/** Sends a request, and repeats it after temporary failures. */
export async function withRetries<Result>(
  request: () => Promise<Result>,
  { attempts, signal }: { readonly attempts: number; readonly signal: AbortSignal },
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (attempt >= attempts || !isPassing(error)) throw error;
      await pauseBefore(attempt, signal);
    }
  }
}
