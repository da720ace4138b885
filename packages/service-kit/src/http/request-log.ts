import type { HttpApp } from './http-app-type.js';
import { wasShed } from './load-shedding.js';

/**
 * One line for each reply: method, route pattern, status, milliseconds. Never the URL: query strings and path
 * parameters carry secrets and phone numbers. Probes, and what was shed, are logged at debug only.
 */
export function logReplies(app: HttpApp): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { url: route = 'unmatched', config } = request.routeOptions;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const line = { reqId: request.id, method: request.method, route, status: reply.statusCode, ms };
    // Not the request's own logger, which most requests would have made for this line alone.
    if (config?.probe === true) app.log.debug(line, 'probe');
    else if (wasShed(request)) app.log.debug(line, 'shed');
    else app.log.info(line, 'request');
    done();
  });
}
