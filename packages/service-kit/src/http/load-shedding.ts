import underPressure from '@fastify/under-pressure';
import { genericMessages, ServiceError } from '../errors/service-error.js';
import type { HttpApp } from './http-app-type.js';

/** A mean event loop delay beyond this over one second means that requests only wait for each other. */
const maxEventLoopDelayMs = 500;
const sampleMs = 1000;

/**
 * Answers 503 with `Retry-After` while the process is overloaded. Probes pass: an overloaded process is alive. What held the loop before
 * the first request could come, such as an embedded database that was opened, is no overload.
 */
export async function shedLoad(app: HttpApp): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    sampleInterval: sampleMs,
    // The plugin measures; what happens is decided in the hook below, so that the reply takes the error funnel.
    pressureHandler: () => undefined,
  });
  // A sample that began before the app listened is looked at until the next one has ended.
  let countsFromMs = Number.NEGATIVE_INFINITY;
  app.addHook('onListen', (done) => {
    countsFromMs = performance.now() + 2 * sampleMs;
    done();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (!app.isUnderPressure() || performance.now() < countsFromMs || request.routeOptions.config.probe === true) {
      done();
      return;
    }
    const details = { cause: new Error('event loop overloaded'), headers: { 'retry-after': '2' } };
    done(new ServiceError('unavailable', genericMessages.unavailable, details));
  });
}
