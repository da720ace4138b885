import underPressure from '@fastify/under-pressure';
import { genericMessages, ServiceError } from '../errors/service-error.js';
import type { HttpApp } from './http-app-type.js';

/** A mean event loop delay beyond this over one second means that requests only wait for each other. */
const maxEventLoopDelayMs = 500;

/** Answers 503 with `Retry-After` while the process is overloaded. Probes pass: an overloaded process is alive. */
export async function shedLoad(app: HttpApp): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    sampleInterval: 1000,
    // The plugin measures; what happens is decided in the hook below, so that the reply takes the error funnel.
    pressureHandler: () => undefined,
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (!app.isUnderPressure() || request.routeOptions.config.probe === true) {
      done();
      return;
    }
    const details = { cause: new Error('event loop overloaded'), headers: { 'retry-after': '2' } };
    done(new ServiceError('unavailable', genericMessages.unavailable, details));
  });
}
