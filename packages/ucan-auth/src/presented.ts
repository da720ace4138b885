/** Request headers as Node gives them: lower-case names. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The artifacts of one request or handshake; undefined: not presented. */
export interface Presented {
  readonly invocation: string | undefined;
  readonly delegation: string | undefined;
}

const BEARER = 'bearer ';

/** What the headers present. A bearer counts only beside exactly `X-Auth-Type: ucan`; `x-did` is nobody's proof. */
export function presentedInHeaders(headers: RequestHeaders): Presented {
  const authorization = headers['x-auth-type'] === 'ucan' ? single(headers['authorization']) : undefined;
  const isBearer = authorization?.slice(0, BEARER.length).toLowerCase() === BEARER;
  const invocation = isBearer ? authorization?.slice(BEARER.length).trim() : undefined;
  return { invocation: orAbsent(invocation), delegation: orAbsent(single(headers['x-ucan-delegation'])?.trim()) };
}

/** What the `auth` object of a WebSocket handshake presents. Whatever is there but no text is a bad artifact. */
export function presentedInHandshake(auth: unknown): Presented {
  if (typeof auth !== 'object' || auth === null) return { invocation: undefined, delegation: undefined };
  const { invocation, ucanDelegation }: { invocation?: unknown; ucanDelegation?: unknown } = auth;
  return { invocation: artifactOf(invocation), delegation: artifactOf(ucanDelegation) };
}

const BAD_ARTIFACT = '!';

function artifactOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? orAbsent(value.trim()) : BAD_ARTIFACT;
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

function orAbsent(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
