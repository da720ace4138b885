/**
 * CORS for browsers. Preflights are answered before the gate, since browsers send no credentials with them. Other OPTIONS
 * requests get the same answer.
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
