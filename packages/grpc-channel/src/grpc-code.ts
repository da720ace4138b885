/** How a call can end. Source: the gRPC status codes. */
export const GRPC_CODES = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const;

export type GrpcCode = (typeof GRPC_CODES)[keyof typeof GRPC_CODES];

const CODES: ReadonlyMap<number, GrpcCode> = new Map(Object.values(GRPC_CODES).map((code) => [code, code]));

/** A number from the wire as a code; numbers gRPC does not define are `unknown`. */
export function toGrpcCode(code: number): GrpcCode {
  return CODES.get(code) ?? GRPC_CODES.unknown;
}
