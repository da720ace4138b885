import underPressure from '@fastify/under-pressure';
import type { FastifyRequest } from 'fastify';
import { genericMessages, ServiceError } from '../errors/service-error.js';
import type { HttpApp } from './http-app-type.js';

export interface OverloadLimits {
  /** Mean event loop delay over one sample, in ms, from which the process counts as overloaded. */
  readonly maxEventLoopDelayMs: number;
  /** Length of a sample, and the pause between two log lines, in ms. */
  readonly sampleMs: number;
}

const defaultLimits: OverloadLimits = { maxEventLoopDelayMs: 500, sampleMs: 1000 };

const shed = new WeakSet<FastifyRequest>();

/** Whether a request was refused for overload. Those are logged as one line per sample. */
export function wasShed(request: FastifyRequest): boolean {
  return shed.has(request);
}

/**
 * Replies 503 with `Retry-After` while the process is overloaded, and logs their number once per sample. Probes pass: an overloaded
 * process is alive. Event loop delay before the app listens, such as opening an embedded database, does not count.
 */
export async function shedLoad(app: HttpApp, limits: OverloadLimits = defaultLimits): Promise<void> {
  const { maxEventLoopDelayMs, sampleMs } = limits;
  await app.register(underPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    sampleInterval: sampleMs,
    // The plugin measures only; the hook below decides, so that the reply passes the error funnel.
    pressureHandler: () => undefined,
  });
  const isMeasured = measuredSinceListening(app, sampleMs);
  const countRefusal = logRefusals(app, sampleMs);
  app.addHook('onRequest', (request, _reply, done) => {
    if (!app.isUnderPressure() || !isMeasured() || request.routeOptions.config.probe === true) {
      done();
      return;
    }
    shed.add(request);
    countRefusal();
    done(new ServiceError('unavailable', genericMessages.unavailable, { headers: { 'retry-after': '2' } }));
  });
}

/**
 * Ignores the sample that began before the app listened, and the next one. Counts samples, not seconds: they end late while the
 * loop is blocked. An app that does not listen is measured from the start.
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

/** Counts refused requests, and logs their number one sample after the first, or when the app closes. */
function logRefusals(app: HttpApp, sampleMs: number): () => void {
  let refused = 0;
  let timer: NodeJS.Timeout | undefined;
  const log = () => {
    clearTimeout(timer);
    timer = undefined;
    if (refused > 0) app.log.warn({ refused }, 'overloaded: requests were refused');
    refused = 0;
  };
  app.addHook('onClose', async () => log());
  return () => {
    refused += 1;
    timer ??= setTimeout(log, sampleMs).unref();
  };
}
