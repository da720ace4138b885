import { GRPC_CODES } from './grpc-code.js';
import { NodeFailure } from './node-failure.js';

/** No suitable reply yet; a retry may succeed soon. The message is for the caller. */
export class RetryLaterError extends NodeFailure {}

/** A limit of concurrency is reached; the caller may retry. */
export class BusyError extends RetryLaterError {
  constructor(what: 'queries run' | 'replies wait') {
    super(GRPC_CODES.resourceExhausted, `Too many ${what} at the moment. Try again shortly.`);
  }
}
