import { findHeight } from '@mlango/transcoder/metadata';
import type { NodeReply } from './chain-node.js';

/** The block height a reply says it was made at, in digits. */
export function replyHeight({ headers, trailers }: NodeReply): string | undefined {
  return findHeight(headers) ?? findHeight(trailers);
}
