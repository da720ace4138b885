const detail = 'The service was interrupted. Please send the message again.';

/** What an `error` frame says of a run whose process went away under it, beside the run's own place and time. */
export const interruptedError = {
  error: detail,
  kind: 'interrupted' as const,
  source: 'service',
  retryable: true,
  detail,
};
