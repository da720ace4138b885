import { ServiceError } from '@mlango/service-kit/errors';

/** What is left to know of a deadline by the work it limits. */
export interface Deadline {
  /** @throws {ServiceError} `deadline_exceeded` once it is over. */
  throwIfAborted(): void;
}

/**
 * Runs work with a limit on its time. When it is over the caller gets `deadline_exceeded` at once, and the work is
 * told when it next asks, so that it changes nothing any more.
 */
export function withDeadline<Result>(limitMs: number, work: (deadline: Deadline) => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    let late: ServiceError | undefined;
    const timer = setTimeout(() => {
      late = new ServiceError('deadline_exceeded', 'The hop took too long');
      reject(late);
    }, limitMs);
    const deadline: Deadline = {
      throwIfAborted: () => {
        if (late !== undefined) throw late;
      },
    };
    work(deadline).then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error instanceof Error ? error : new Error('the hop failed', { cause: error }));
      },
    );
  });
}
