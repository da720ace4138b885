import underPressure from '@fastify/under-pressure';
import type { FastifyRequest } from 'fastify';
import { genericMessages, ServiceError } from '../errors/service-error.js';
import type { HttpApp } from './http-app-type.js';

export interface OverloadLimits {
  /** Mean event loop delay over one sample, in ms, beyond which requests only wait for each other. */
  readonly maxEventLoopDelayMs: number;
  /** Length of a sample, and the pause between two log lines, in ms. */
  readonly sampleMs: number;
}

const defaultLimits: OverloadLimits = { maxEventLoopDelayMs: 500, sampleMs: 1000 };

const shed = new WeakSet<FastifyRequest>();

/** Whether a request was refused for overload: such are told of together, and a line for each would add to the load. */
export function wasShed(request: FastifyRequest): boolean {
  return shed.has(request);
}

/**
 * Answers 503 with `Retry-After` while the process is overloaded, and logs once a sample how many were. Probes pass: an overloaded process
 * is alive. What held the loop before the first request could come, such as an embedded database that was opened, is no overload.
 */
export async function shedLoad(app: HttpApp, limits: OverloadLimits = defaultLimits): Promise<void> {
  const { maxEventLoopDelayMs, sampleMs } = limits;
  await app.register(underPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    sampleInterval: sampleMs,
    // The plugin measures; what happens is decided in the hook below, so that the reply takes the error funnel.
    pressureHandler: () => undefined,
  });
  const isMeasured = measuredSinceListening(app, sampleMs);
  const saw = tellTogether(app, sampleMs);
  app.addHook('onRequest', (request, _reply, done) => {
    if (!app.isUnderPressure() || !isMeasured() || request.routeOptions.config.probe === true) {
      done();
      return;
    }
    shed.add(request);
    saw();
    done(new ServiceError('unavailable', genericMessages.unavailable, { headers: { 'retry-after': '2' } }));
  });
}

/**
 * A sample that began before the app listened is looked at until the next one has ended. Samples are counted, not seconds: they end late
 * where the loop is held. An app that does not listen is measured as it is.
 */
function measuredSinceListening(app: HttpApp, sampleMs: number): () => boolean {
  let unfit = 0;
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', (done) => {
    unfit = 2;
    timer = setTimeout(() => {
      unfit -= 1;
      if (unfit > 0) timer?.refresh();
    }, sampleMs).unref();
    done();
  });
  app.addHook('onClose', async () => clearTimeout(timer));
  return () => unfit === 0;
}

/** Counts what was refused, and logs it a sample after the first, or when the app closes. */
function tellTogether(app: HttpApp, sampleMs: number): () => void {
  let refused = 0;
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    clearTimeout(timer);
    timer = undefined;
    if (refused > 0) app.log.warn({ refused }, 'overloaded: requests were refused');
    refused = 0;
  };
  app.addHook('onClose', async () => tell());
  return () => {
    refused += 1;
    timer ??= setTimeout(tell, sampleMs).unref();
  };
}
