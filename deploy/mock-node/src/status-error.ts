import { status } from '@grpc/grpc-js';

/** An answer that is a gRPC status instead of a message. Its text is sent to the caller unchanged. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly code: status;

  constructor(code: status, text: string) {
    super(text);
    this.code = code;
  }
}

/** A node's error for a request without a required field. */
function invalidRequest(): StatusError {
  return new StatusError(status.INVALID_ARGUMENT, 'invalid request');
}

/**
 * A module's own error. Modules register theirs without a gRPC code, so all of them arrive as UNKNOWN and differ only in
 * their text.
 */
export function moduleError(codespace: string, code: number, text: string): StatusError {
  return new StatusError(status.UNKNOWN, `codespace ${codespace} code ${code}: ${text}`);
}

/** Throws `invalidRequest` unless every text is present. */
export function requireTexts(...texts: readonly string[]): void {
  if (texts.some((text) => text === '')) throw invalidRequest();
}
