import type { HttpApp } from './http-app-type.js';

/**
 * One line for each reply: method, route pattern, status, milliseconds. Never the URL: query strings and path
 * parameters carry secrets and phone numbers. Probes are logged at debug only.
 */
export function logReplies(app: HttpApp): void {
  app.addHook('onResponse', async (request, reply) => {
    const { url: route = 'unmatched', config } = request.routeOptions;
    const line = {
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    };
    if (config?.probe === true) request.log.debug(line, 'probe');
    else request.log.info(line, 'request');
  });
}
