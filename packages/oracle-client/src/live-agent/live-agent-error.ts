import type { CallFailure } from '../api/call-failure.js';

/** Why a call is not what it should be. */
export class LiveAgentError extends Error {
  readonly code: CallFailure;

  constructor(code: CallFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LiveAgentError';
    this.code = code;
  }
}
