import { GRPC_CODES } from './grpc-code.js';
import { NodeFailure } from './node-failure.js';

/** No node was asked, and one may be shortly. What it says is meant for whoever called. */
export class RetryLaterError extends NodeFailure {}

/** As much is under way as may be; this one has to come again. */
export class BusyError extends RetryLaterError {
  constructor(what: 'queries run' | 'replies wait') {
    super(GRPC_CODES.resourceExhausted, `Too many ${what} at the moment. Try again shortly.`);
  }
}
