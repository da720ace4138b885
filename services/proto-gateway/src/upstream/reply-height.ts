import type { Reply } from '@mlango/grpc-channel';
import { findHeight } from '@mlango/transcoder/metadata';

/** The block height a reply says it was made at, in digits. */
export function replyHeight({ headers, trailers }: Reply): string | undefined {
  return findHeight(headers) ?? findHeight(trailers);
}
