import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Allowance } from '@mlango/service-kit/rate-limit';

/**
 * For Engine.IO: counts what begins a connection by its address, before anything is kept of it. Later requests of a connection
 * name it (`sid`), and one that does not exist is refused without more ado.
 */
export function countHandshakes(requests: Allowance, addressOf: (request: IncomingMessage) => string) {
  return (request: IncomingMessage, reply: ServerResponse, next: (error?: unknown) => void): void => {
    if (new URL(request.url ?? '', 'http://localhost').searchParams.get('sid')) {
      next();
      return;
    }
    requests.take(addressOf(request)).then((taken) => {
      if (taken.ok) next();
      else refuse(reply, taken.retryAfterSeconds);
    }, next);
  };
}

/** To a WebSocket that is being opened nothing can be said: its connection ends. */
function refuse(reply: ServerResponse, retryAfterSeconds: number): void {
  reply.writeHead(429, { 'retry-after': String(retryAfterSeconds), 'content-type': 'application/json' });
  // In Engine.IO's own form; 4 is its code for what is forbidden.
  reply.end(JSON.stringify({ code: 4, message: 'Too many requests' }));
}
