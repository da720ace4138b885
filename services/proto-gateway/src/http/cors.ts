/**
 * Who may call from a browser, with what, and what pages may read of a reply. Preflights are answered before the gate:
 * browsers send no credentials with them. Other uses of OPTIONS get the same answer.
 */
export function corsOptions(origins: readonly string[]) {
  return {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST'],
    strictPreflight: false,
    exposedHeaders: [
      'Connect-Content-Encoding',
      'Deprecation',
      'ETag',
      'Grpc-Encoding',
      'Link',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'Warning',
      'WWW-Authenticate',
      'X-Cosmos-Block-Height',
      'X-Node',
      'X-Request-Id',
    ],
    maxAge: 600,
  };
}
