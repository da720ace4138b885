import type { Reply } from '../channel.js';
import type { Metadata } from '../metadata.js';
import { brokenReply, cancelledFailure } from './failures.js';
import { LeanCall, type OutgoingCall } from './lean-call.js';

/** A call with one message for a reply. */
export function unaryCall(call: OutgoingCall): Promise<Reply> {
  return new Promise((resolve, reject) => {
    if (call.signal?.aborted === true) {
      reject(cancelledFailure());
      return;
    }
    let headers: Metadata = [];
    let message: Uint8Array | undefined;
    let hasMany = false;
    void new LeanCall(call, {
      headers: (metadata) => {
        headers = metadata;
      },
      message: (bytes) => {
        hasMany = message !== undefined;
        message = bytes;
      },
      done: (trailers) => {
        if (message === undefined) reject(brokenReply('the reply has no message'));
        else if (hasMany) reject(brokenReply('the reply has more than one message'));
        else resolve({ message, headers, trailers });
      },
      failed: reject,
    });
  });
}
