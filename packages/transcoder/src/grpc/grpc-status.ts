/** The outcome of an rpc, as a caller sees it. Source: the gRPC status codes. */
export interface RpcStatus {
  readonly code: GrpcCode;
  readonly message: string;
  /** JSON objects with `@type`. */
  readonly details: readonly StatusDetail[];
}

export type StatusDetail = Readonly<Record<string, unknown>> & { readonly '@type': string };

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

const HTTP_STATUS: Readonly<Record<GrpcCode, number>> = {
  0: 200,
  1: 499,
  2: 500,
  3: 400,
  4: 504,
  5: 404,
  6: 409,
  7: 403,
  8: 429,
  9: 400,
  10: 409,
  11: 400,
  12: 501,
  13: 500,
  14: 503,
  15: 500,
  16: 401,
};

/** The HTTP status that answers a gRPC code. */
export function httpStatusOf(code: GrpcCode): number {
  return HTTP_STATUS[code];
}

/** A failure as the reply to an HTTP request: `{"code","message","details"}`. */
export function errorReply({ code, message, details }: RpcStatus): {
  readonly httpStatus: number;
  readonly body: string;
} {
  return { httpStatus: httpStatusOf(code), body: JSON.stringify({ code, message, details }) };
}

const CODES: ReadonlyMap<number, GrpcCode> = new Map(Object.values(GRPC_CODES).map((code) => [code, code]));

/** A number from the wire as a code; numbers gRPC does not define are `unknown`. */
export function toGrpcCode(code: number): GrpcCode {
  return CODES.get(code) ?? GRPC_CODES.unknown;
}
