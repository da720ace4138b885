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
    const line = { method: request.method, route, status: reply.statusCode, ms };
    if (config?.probe === true) request.log.debug(line, 'probe');
    else if (wasShed(request)) request.log.debug(line, 'shed');
    else request.log.info(line, 'request');
    done();
  });
}
