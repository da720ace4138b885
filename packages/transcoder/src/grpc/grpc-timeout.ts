/** Nanoseconds of each unit of a `Grpc-Timeout`. Source: the gRPC protocol over HTTP/2. */
const UNITS: Readonly<Record<string, bigint>> = {
  H: 3_600_000_000_000n,
  M: 60_000_000_000n,
  S: 1_000_000_000n,
  m: 1_000_000n,
  u: 1000n,
  n: 1n,
};

export const TIMEOUT_HEADER = 'grpc-timeout';
export const BAD_TIMEOUT = {
  field: 'Grpc-Timeout',
  description: 'must be digits and one of H M S m u n, such as 500m',
};

/** The longest time a timer of Node.js takes, 24 days; a longer one would be over at once. */
export const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;
const MAX_MS = BigInt(LONGEST_TIMEOUT_MS);

/** Reads `100m` or `3S` as whole milliseconds, 24 days at most. `undefined` for anything that is not digits and a unit. */
export function parseGrpcTimeout(text: string): number | undefined {
  const parts = /^([0-9]{1,18})([HMSmun])$/.exec(text);
  const unit = UNITS[parts?.[2] ?? ''];
  if (parts?.[1] === undefined || unit === undefined) return undefined;
  const ms = (BigInt(parts[1]) * unit) / 1_000_000n;
  return ms > MAX_MS ? LONGEST_TIMEOUT_MS : Number(ms);
}
