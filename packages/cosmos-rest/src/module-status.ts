import { GRPC_CODES, type RpcStatus, type StatusDetail } from '@mlango/transcoder/grpc-status';
import { findCodespaceError } from './codespaces.js';
import { toPlainMessage } from './plain-message.js';

/** Maps the status of a node: module errors that it returns as Unknown have a code in their text. */
export function moduleStatus({ code, message, details }: RpcStatus): RpcStatus {
  const known = code === GRPC_CODES.unknown ? findCodespaceError(message) : undefined;
  if (known === undefined) return { code, message: toPlainMessage(message), details };
  const { error } = known;
  const info: StatusDetail = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: error.reason,
    domain: error.codespace,
    metadata: { codespace: error.codespace, code: String(error.code) },
  };
  const text = toPlainMessage(known.text);
  return { code: error.grpcCode, message: text === '' ? error.reason : text, details: [info, ...details] };
}
