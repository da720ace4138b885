import { findHeight } from '@mlango/cosmos-rest/heights';
import type { Reply } from '@mlango/grpc-channel';

/** The block height a reply says it was made at, in digits. */
export function replyHeight({ headers, trailers }: Reply): string | undefined {
  return findHeight(headers) ?? findHeight(trailers);
}
