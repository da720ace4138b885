/** Codes of Node.js and texts of OpenSSL, and what they mean for who runs the gateway. The first that fits counts. */
const PROBLEMS: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/CERT_HAS_EXPIRED|certificate has expired/i, 'its certificate has expired'],
  [/CERT_NOT_YET_VALID|certificate is not yet valid/i, 'its certificate is not valid yet'],
  [/ALTNAME_INVALID|does not match certificate/i, 'its certificate is for another name than the one in GRPC_TARGETS'],
  [
    /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|self-signed certificate|unable to (?:verify|get)/i,
    'its certificate is not signed by an authority the gateway trusts (GRPC_CA_FILE)',
  ],
  [
    /CERTIFICATE_REQUIRED|certificate required|handshake failure|bad certificate|unknown ca/i,
    "it does not take the gateway's certificate, or there is none (GRPC_CERT_FILE, GRPC_KEY_FILE)",
  ],
  [/WRONG_VERSION_NUMBER|wrong version number|packet length too long/i, 'it does not speak TLS (GRPC_TLS)'],
  [/NO_APPLICATION_PROTOCOL|no application protocol/i, 'it does not speak HTTP/2 over TLS'],
  [/ECONNREFUSED/, 'nobody listens there'],
  [/ENOTFOUND|EAI_AGAIN|Name resolution failed/, 'its name is not known'],
  [
    /closed before it was one|Failed to connect/,
    "it closed the connection before it spoke HTTP/2: with TLS perhaps because of the gateway's certificate (GRPC_CERT_FILE)",
  ],
  [/EHOSTUNREACH|ENETUNREACH/, 'there is no way to its network'],
];

/** Why a connection did not come about, in words for operators; they may hold addresses, so callers never see them. */
export function describeConnectProblem(error: { readonly message: string; readonly code?: unknown }): string {
  const text = `${typeof error.code === 'string' ? error.code : ''} ${error.message}`;
  return PROBLEMS.find(([pattern]) => pattern.test(text))?.[1] ?? error.message;
}
