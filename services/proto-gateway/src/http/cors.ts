import { commonCorsOptions } from '@mlango/service-kit/http-app';

/** CORS for browsers. Preflights are answered before the gate, since browsers send no credentials with them. */
export function corsOptions(origins: readonly string[]) {
  return {
    ...commonCorsOptions,
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST'],
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
  };
}
