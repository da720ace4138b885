import { ServiceError } from '@mlango/service-kit/errors';

/** What is left to know of a deadline by the work it limits. */
export interface Deadline {
  /** @throws {ServiceError} `deadline_exceeded` once it is over. */
  throwIfAborted(): void;
  /** Aborted when it is over. Made when it is first asked for: few hops wait for anything. */
  readonly signal: AbortSignal;
}

/**
 * Runs work with a limit on its time. When it is over the caller gets `deadline_exceeded` at once, and the work's
 * deadline is aborted, so that it changes nothing any more.
 */
export function withDeadline<Result>(limitMs: number, work: (deadline: Deadline) => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    let late: ServiceError | undefined;
    let controller: AbortController | undefined;
    const timer = setTimeout(() => {
      late = new ServiceError('deadline_exceeded', 'The hop took too long');
      controller?.abort(late);
      reject(late);
    }, limitMs);
    const deadline: Deadline = {
      throwIfAborted: () => {
        if (late !== undefined) throw late;
      },
      get signal() {
        controller ??= new AbortController();
        if (late !== undefined) controller.abort(late);
        return controller.signal;
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
