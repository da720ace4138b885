/** CORS options. Credentials are allowed for named origins only. */
export function corsOptions(origins: readonly string[]) {
  const isAny = origins.includes('*');
  return {
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
    maxAge: 600,
    // An OPTIONS request that is no preflight gets the reply of one, because the refusal of the CORS plugin is not JSON.
    strictPreflight: false,
  };
}

/**
 * Whether a page of this origin may open a socket. Browsers do not apply CORS to WebSockets, so the server checks. Clients that are not
 * browsers send no origin.
 */
export function isAllowedOrigin(origins: readonly string[], origin: string | undefined): boolean {
  return origin === undefined || origins.includes('*') || origins.includes(origin);
}
