import { ServiceError } from '@mlango/service-kit/errors';

/**
 * Runs work with a limit on its time. When it is over the caller gets `deadline_exceeded` at once, and the work's
 * signal is aborted, so that it changes nothing any more.
 */
export async function withDeadline<Result>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const late = new ServiceError('deadline_exceeded', 'The hop took too long');
      controller.abort(late);
      reject(late);
    }, limitMs);
  });
  return Promise.race([work(controller.signal), limit]).finally(() => clearTimeout(timer));
}
