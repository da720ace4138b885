/**
 * Whether a page of this origin may open a socket. Browsers apply CORS to requests but not to WebSockets, so the server
 * does. Clients that are no browsers send no origin.
 */
export function isAllowedOrigin(origins: readonly string[], origin: string | undefined): boolean {
  return origin === undefined || origins.includes('*') || origins.includes(origin);
}
