/** Who may call from a browser, with what, and what they may read. Credentials go with named origins only. */
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
    // An OPTIONS request that is no preflight is answered like one: its refusal would not be JSON.
    strictPreflight: false,
  };
}

/**
 * Whether a page of this origin may open a socket. Browsers apply CORS to requests but not to WebSockets, so the server
 * does. Clients that are no browsers send no origin.
 */
export function isAllowedOrigin(origins: readonly string[], origin: string | undefined): boolean {
  return origin === undefined || origins.includes('*') || origins.includes(origin);
}
