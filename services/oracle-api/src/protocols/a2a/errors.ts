import type { ServiceError } from '@mlango/service-kit/errors';
import { renderRpcError, rpcErrorReplies, rpcErrorWith } from '../json-rpc.js';

/** Errors have the form of JSON-RPC, with the error codes of A2A. */
export const renderError = renderRpcError;

export const errorReplies = rpcErrorReplies;

export const taskNotFound = (): ServiceError => rpcErrorWith(-32_001, 'not_found', 'Task not found');

export const taskNotCancelable = (): ServiceError => rpcErrorWith(-32_002, 'conflict', 'This task has ended');

/** An operation that the state of a task does not allow. */
export const unsupportedOperation = (message: string): ServiceError => rpcErrorWith(-32_004, 'conflict', message);

export const versionNotSupported = (): ServiceError =>
  rpcErrorWith(-32_009, 'invalid_argument', 'This agent supports version 1.0');
