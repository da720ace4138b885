import { jsonError } from '@mlango/schemas/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { z } from 'zod';
import { type Connections, connectionOf } from '../connections.js';
import { requireSameOrigin } from './same-origin.js';

const body = z.object({ forMs: z.number().int().min(100).max(30_000) });
const response = { 200: body, 400: jsonError, 403: jsonError, 429: jsonError, 503: jsonError };

/** `POST /line/cut`: destroys every connection of this browser to the oracle, and new ones for a while. */
export function cutRoute(app: HttpApp, lines: Connections): void {
  app.post('/line/cut', { schema: { body, response } }, (request, reply) => {
    requireSameOrigin(request);
    const line = connectionOf(request.headers.cookie);
    const { forMs } = request.body;
    // The response may share its connection with the cut ones.
    if (line !== undefined) reply.raw.once('close', () => lines.cut(line, forMs));
    void reply.header('connection', 'close');
    return { forMs };
  });
}
