import { ModelError } from '../models/model-error.js';

/** Why a turn ends that must not go on without one of its plugins. */
export function guardFailed(cause: unknown): ModelError {
  return new ModelError('server', 'A safeguard of this service failed.', { retryable: true, cause });
}
