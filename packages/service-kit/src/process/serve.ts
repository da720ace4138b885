import { Server as TcpServer } from 'node:net';
import { setImmediate as nextLoop, setTimeout as sleep } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Readiness } from '../http/health.js';

// biome-ignore lint/suspicious/noExplicitAny: any Fastify app will do, with any type provider and logger.
type AnyApp = FastifyInstance<any, any, any, any, any>;

export interface ServeOptions {
  /** From `createHttpApp`, which ends idle connections while it closes. */
  readonly app: AnyApp;
  readonly config: ServeConfig;
  readonly readiness: Readiness;
  readonly logger: FastifyBaseLogger;
  /** Closes the stores; called last, also when listening or the close of the app fails. */
  readonly onClose: () => Promise<void>;
  /** Log fields of a fatal error, read in the async context of that error. */
  readonly failureFields?: () => object;
  /** Time for clients with busy connections to send another request, answered with `Connection: close`, in ms. Default 250. */
  readonly lastRequestMs?: number;
}

/** The part of `processShape` for the listening address and the shutdown. */
export interface ServeConfig {
  readonly HOST: string;
  readonly PORT: number;
  /** How long readiness answers 503 while requests are still served as before. */
  readonly DRAIN_DELAY_MS: number;
  /** Hard deadline from the signal to the exit; past it the process exits with code 1. */
  readonly SHUTDOWN_TIMEOUT_MS: number;
}

/**
 * Listens, and on SIGTERM, SIGINT or a fatal error shuts down in order: readiness fails, requests are served for the drain
 * delay, no new connection is accepted and replies on open ones carry `Connection: close`, requests in flight end, then the
 * stores close. Exit code 0 for a signal, 1 for a fatal error, a failed close, a second signal or a missed deadline.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { app, config, logger } = options;
  closeWithGrace({ delay: config.SHUTDOWN_TIMEOUT_MS, logger }, async ({ err, signal }) => {
    if (err !== undefined) logger.fatal({ err, ...options.failureFields?.() }, 'fatal error, shutting down');
    else logger.info({ signal }, 'shutting down');
    options.readiness.startDraining();
    if (err === undefined) {
      await sleep(config.DRAIN_DELAY_MS);
      await stopAccepting(app.server);
      options.readiness.startClosing();
      await sleep(options.lastRequestMs ?? defaultLastRequestMs);
    }
    await close(options);
    logger.info('stopped');
  });
  try {
    await app.ready();
    // Fastify logs each address it listens on.
    await app.listen({ host: config.HOST, port: config.PORT });
  } catch (error) {
    logger.fatal(listenFailure(error, config.HOST, config.PORT));
    await close(options).catch((err: unknown) => logger.error({ err }, 'close failed'));
    process.exit(1);
  }
}

const defaultLastRequestMs = 250;

/** Closes the stores also when an `onClose` hook of the app fails. */
async function close({ app, onClose }: Pick<ServeOptions, 'app' | 'onClose'>): Promise<void> {
  try {
    await app.close();
  } finally {
    await onClose();
  }
}

/**
 * Closes only the listening socket. `http.Server.close` also closes idle connections between two requests of a busy client, so
 * its next request would be reset. Runs right after the event loop accepted pending connections, which would be reset too.
 */
async function stopAccepting(server: AnyApp['server']): Promise<void> {
  await nextLoop();
  TcpServer.prototype.close.call(server);
}

/** Explains why listening failed, with the variables that set the address. */
function listenFailure(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is taken. Stop what uses it, or choose another with PORT.`,
    EACCES: `Port ${port} on ${host} may not be opened by this user. Choose one above 1023 with PORT.`,
    EADDRNOTAVAIL: `No network interface of this machine has the address ${host}. Choose another with HOST.`,
  };
  return reasons[code] ?? `Cannot listen on ${host}:${port} (${code}). HOST and PORT choose the address.`;
}
