/** A request that failed. */
export class OracleRequestError extends Error {
  /** The status of the body if it has one, else of the reply; 0 without a reply. */
  readonly statusCode: number;
  /** Claims to pay first, if payment is required. */
  readonly claims: readonly string[];
  /** The body, as far as it was JSON. */
  readonly body: Readonly<Record<string, unknown>>;
  /** When the request may be repeated, by `Retry-After`; undefined without the header. */
  readonly retryAt: Date | undefined;

  constructor(
    statusCode: number,
    body: Readonly<Record<string, unknown>>,
    { retryAfter, ...options }: ErrorOptions & { readonly retryAfter?: string | null } = {},
  ) {
    super(textOf(body) ?? `The oracle answered ${statusCode}`, options);
    this.name = 'OracleRequestError';
    this.statusCode = statusCode;
    this.body = body;
    this.retryAt = retryTime(retryAfter ?? '');
    this.claims = idsIn(body['claims']) ?? idsIn(body['outstandingClaims']) ?? [];
  }
}

/** Whether a request failed because the oracle requires payment first. */
export function isPaymentRequired(error: unknown): error is OracleRequestError {
  return error instanceof OracleRequestError && error.statusCode === 402;
}

/** Whether there was no reply: the request may still have arrived. */
export function isUnreached(error: unknown): boolean {
  return error instanceof OracleRequestError && error.statusCode === 0;
}

/** Whether the oracle has no such route, or no such thing. */
export function isNotFound(error: unknown): boolean {
  return error instanceof OracleRequestError && error.statusCode === 404;
}

const longestSeconds = 7 * 86_400;

/** A `Retry-After` in seconds, as oracles send it. */
function retryTime(retryAfter: string): Date | undefined {
  if (!/^\d{1,9}$/.test(retryAfter)) return undefined;
  return new Date(Date.now() + Math.min(Number(retryAfter), longestSeconds) * 1_000);
}

function textOf({ message, error }: Readonly<Record<string, unknown>>): string | undefined {
  return [message, error].find((text): text is string => typeof text === 'string' && text !== '');
}

function idsIn(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const ids = value.filter((id): id is string => typeof id === 'string');
  return ids.length === 0 ? undefined : ids;
}
