import type { RefusalCode } from '../realtime/admission.js';
import type { CloseReason } from '../realtime/member.js';

/** WebSocket close codes: RFC 6455 section 7.4.1 where it has one, else of the range for applications (4000 to 4999). */
export const closeCodes: Readonly<Record<CloseReason, number>> = {
  session_deleted: 4404,
  shutdown: 1001,
  bad_frame: 1007,
  flood: 1008,
  stalled: 1008,
  replaced: 4409,
  expired: 4401,
  revoked: 4401,
};

export const refusalCodes: Readonly<Record<RefusalCode, number>> = {
  bad_request: 4400,
  unauthenticated: 4401,
  not_found: 4404,
  too_many: 4429,
  unavailable: 1013,
};
