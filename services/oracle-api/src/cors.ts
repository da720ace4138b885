import { commonCorsOptions } from '@mlango/service-kit/http-app';

/** CORS options. Credentials are allowed for named origins only. */
export function corsOptions(origins: readonly string[]) {
  const isAny = origins.includes('*');
  return {
    ...commonCorsOptions,
    origin: isAny ? '*' : [...origins],
    credentials: !isAny,
    methods: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'],
    allowedHeaders: [
      'Content-Type',
      'Authorization',
      'x-ucan-delegation',
      'x-matrix-access-token',
      'x-matrix-homeserver',
      'x-did',
      'x-request-id',
      'x-auth-type',
      'x-timezone',
    ],
    exposedHeaders: ['X-Request-Id', 'X-Run-Id', 'X-Run-Status', 'Retry-After'],
  };
}

/**
 * Whether a page of this origin may open a socket. Browsers do not apply CORS to WebSockets, so the server checks. Clients that are not
 * browsers send no origin.
 */
export function isAllowedOrigin(origins: readonly string[], origin: string | undefined): boolean {
  return origin === undefined || origins.includes('*') || origins.includes(origin);
}
