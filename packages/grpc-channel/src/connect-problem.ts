/** Why a node is not ready: there is no connection, or its replies are not gRPC. */
export type ConnectProblem =
  | 'certificate-expired'
  | 'certificate-early'
  | 'certificate-name'
  | 'certificate-untrusted'
  | 'certificate-wanted'
  | 'no-tls'
  | 'tls'
  | 'http1'
  | 'no-http2'
  | 'refused'
  | 'name-unknown'
  | 'closed-early'
  | 'closed-after-settings'
  | 'http-status'
  | 'silent'
  | 'unreachable'
  | 'other';

/** The cause of an outage of a node. */
export interface Outage {
  readonly problem: ConnectProblem;
  /** For operators; it may contain addresses, so callers never see it. */
  readonly reason: string;
}

/** Codes of Node.js and texts of OpenSSL with their meaning. The first match counts. */
const PROBLEMS: readonly (readonly [pattern: RegExp, problem: ConnectProblem, reason: string])[] = [
  [/CERT_HAS_EXPIRED|certificate has expired/i, 'certificate-expired', 'its certificate has expired'],
  [/CERT_NOT_YET_VALID|certificate is not yet valid/i, 'certificate-early', 'its certificate is not valid yet'],
  [
    /ALTNAME_INVALID|does not match certificate/i,
    'certificate-name',
    'its certificate is for another name than the target',
  ],
  [
    /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|self-signed certificate|unable to (?:verify|get)/i,
    'certificate-untrusted',
    'its certificate is not signed by a trusted authority',
  ],
  [
    /CERTIFICATE_REQUIRED|certificate required|handshake failure|bad certificate|unknown ca/i,
    'certificate-wanted',
    'it requires a valid client certificate',
  ],
  [/WRONG_VERSION_NUMBER|wrong version number|packet length too long/i, 'no-tls', 'it does not speak TLS'],
  [/\bthe answer is TLS$/, 'tls', 'it requires TLS, which is not configured'],
  [
    /\bthe answer is HTTP\/1\.1$/,
    'http1',
    'it speaks HTTP/1.1 and not gRPC: nodes have gRPC on port 9090, RPC on 26657 and REST on 1317 unless they are set otherwise',
  ],
  [/NO_APPLICATION_PROTOCOL|no application protocol/i, 'no-http2', 'it does not speak HTTP/2 over TLS'],
  [/ECONNREFUSED/, 'refused', 'the connection is refused'],
  [/ENOTFOUND|EAI_AGAIN|Name resolution failed/, 'name-unknown', 'its name does not resolve'],
  [
    /closed before HTTP\/2 began|Failed to connect/,
    'closed-early',
    'it closed the connection before it spoke HTTP/2: it may require TLS, which is not configured, or refuse the client certificate',
  ],
  [/EHOSTUNREACH|ENETUNREACH/, 'unreachable', 'its network is unreachable'],
];

/** Why a connection could not be established. */
export function describeConnectProblem(error: { readonly message: string; readonly code?: unknown }): Outage {
  const text = `${typeof error.code === 'string' ? error.code : ''} ${error.message}`;
  const [, problem, reason] = PROBLEMS.find(([pattern]) => pattern.test(text)) ?? [
    undefined,
    'other' as const,
    error.message,
  ];
  return { problem, reason };
}

export const CLOSED_AFTER_SETTINGS: Outage = {
  problem: 'closed-after-settings',
  reason: 'it closes connections after the settings of HTTP/2, before any call is answered',
};

/** Something answered with a status of HTTP and without gRPC, as a proxy does. */
export function httpProblem(status: string): Outage {
  const what = status === '' ? 'without a status of HTTP' : `with HTTP status ${status}`;
  const hint = WEB_HINTS[status] ?? '';
  return { problem: 'http-status', reason: `a proxy or another server answered ${what} and no gRPC${hint}` };
}

const WEB_HINTS: Readonly<Record<string, string>> = {
  '401': ': it requires credentials of the gateway',
  '403': ': it does not let the gateway through',
  '404': ': it has no gRPC at this address',
  '502': ': it does not reach the node behind it',
  '503': ': it does not reach the node behind it',
  '504': ': the node behind it does not answer it in time',
};
