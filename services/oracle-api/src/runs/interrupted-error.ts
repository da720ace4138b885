/** What is said after a failure in the place of "send it again", where tools were called. */
export const lookFirst =
  'Something was done before that: see the calls of this answer, and ask before it is done again.';

/** What an `error` frame says of a run whose process went away under it, beside the run's own place and time. */
export function interruptedError(hasActed: boolean) {
  const detail = `The service was interrupted. ${hasActed ? lookFirst : 'Please send the message again.'}`;
  return { error: detail, kind: 'interrupted' as const, source: 'service', retryable: !hasActed, detail };
}
