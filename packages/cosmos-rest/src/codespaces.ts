import { GRPC_CODES, type GrpcCode } from '@mlango/transcoder/grpc-status';

/** A module error that nodes return without a gRPC code. */
export interface CodespaceError {
  readonly codespace: string;
  readonly code: number;
  readonly grpcCode: GrpcCode;
  /** For programs, in the form of google.rpc.ErrorInfo. */
  readonly reason: string;
}

const { notFound, invalidArgument } = GRPC_CODES;

/** Errors with a known meaning. Others keep the node's code. */
export const CODESPACE_ERRORS: readonly CodespaceError[] = [
  { codespace: 'claims', code: 1001, grpcCode: notFound, reason: 'COLLECTION_NOT_FOUND' },
  { codespace: 'claims', code: 1100, grpcCode: notFound, reason: 'CLAIM_NOT_FOUND' },
  { codespace: 'claims', code: 1200, grpcCode: notFound, reason: 'DISPUTE_NOT_FOUND' },
  { codespace: 'claims', code: 1500, grpcCode: notFound, reason: 'INTENT_NOT_FOUND' },
  { codespace: 'claims', code: 1800, grpcCode: notFound, reason: 'MEMBER_BUDGET_NOT_FOUND' },
  { codespace: 'claims', code: 1901, grpcCode: notFound, reason: 'DEPOSIT_BALANCE_NOT_FOUND' },
  { codespace: 'claims', code: 1910, grpcCode: notFound, reason: 'SUBJECT_DISPUTE_NOT_FOUND' },
  { codespace: 'token', code: 1001, grpcCode: notFound, reason: 'TOKEN_NOT_FOUND' },
  { codespace: 'token', code: 1002, grpcCode: notFound, reason: 'TOKEN_PROPERTIES_NOT_FOUND' },
  { codespace: 'entity', code: 1001, grpcCode: notFound, reason: 'ENTITY_NOT_FOUND' },
  { codespace: 'sdk', code: 7, grpcCode: invalidArgument, reason: 'INVALID_ADDRESS' },
  { codespace: 'sdk', code: 18, grpcCode: invalidArgument, reason: 'INVALID_REQUEST' },
  { codespace: 'sdk', code: 22, grpcCode: notFound, reason: 'KEY_NOT_FOUND' },
  { codespace: 'sdk', code: 26, grpcCode: invalidArgument, reason: 'INVALID_HEIGHT' },
  { codespace: 'sdk', code: 38, grpcCode: notFound, reason: 'NOT_FOUND' },
];

/** Finds the module error in the text of an Unknown status: `codespace claims code 1100: claim not found`. */
export function findCodespaceError(message: string): { error: CodespaceError; text: string } | undefined {
  const parts = /\bcodespace ([a-z0-9_-]+) code ([0-9]{1,9})(?:: ([^\n]*))?/i.exec(message);
  if (parts === null) return undefined;
  const [, codespace, code, text = ''] = parts;
  const error = CODESPACE_ERRORS.find((known) => known.codespace === codespace && known.code === Number(code));
  return error === undefined ? undefined : { error, text };
}
