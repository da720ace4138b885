import type { CallFailure } from '../api/call-failure.js';

/** Why a call failed. */
export class LiveAgentError extends Error {
  readonly code: CallFailure;

  constructor(code: CallFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LiveAgentError';
    this.code = code;
  }
}
