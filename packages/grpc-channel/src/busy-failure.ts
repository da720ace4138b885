import { GRPC_CODES } from './grpc-code.js';
import { LaterFailure } from './later-failure.js';

/** As much is under way as may be; this one has to come again. */
export class BusyFailure extends LaterFailure {
  constructor(what: 'queries run' | 'replies wait') {
    super(GRPC_CODES.resourceExhausted, `Too many ${what} at the moment. Try again shortly.`);
  }
}
