import { within } from '@mlango/async/within';
import { z } from 'zod';
import type { HttpApp } from './http-app-type.js';

export type ReadinessCheck = () => Promise<void>;

/** Informative values of a back end, for people: shown in the report, without effect. */
export type ReadinessFacts = Readonly<Record<string, string | number>>;

export interface ReadinessOptions {
  /** Time limit of one check. Default: 1,000 ms. */
  readonly timeoutMs?: number;
  /** Read along with the checks, under the same limit. A failed one is omitted. */
  readonly facts?: Readonly<Record<string, () => Promise<ReadinessFacts>>>;
}

export interface ReadinessReport {
  readonly ready: boolean;
  /** True from the moment a shutdown began. */
  readonly draining: boolean;
  readonly checks: Readonly<Record<string, 'up' | 'down'>>;
  readonly facts: Readonly<Record<string, ReadinessFacts>>;
}

type Round = Pick<ReadinessReport, 'checks' | 'facts'>;

/**
 * Whether this process should get traffic. A check passes if its promise resolves within the time limit. Checks run concurrently, and
 * concurrent callers share one round, so probes cannot pile up work.
 */
export class Readiness {
  readonly #checks: Readonly<Record<string, ReadinessCheck>>;
  readonly #timeoutMs: number;
  readonly #facts: NonNullable<ReadinessOptions['facts']>;
  #draining = false;
  #closing = false;
  #round: Promise<Round> | undefined;

  constructor(
    checks: Readonly<Record<string, ReadinessCheck>>,
    { timeoutMs = 1000, facts = {} }: ReadinessOptions = {},
  ) {
    this.#checks = checks;
    this.#timeoutMs = timeoutMs;
    this.#facts = facts;
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** True once no new connection is accepted: replies then carry `Connection: close`. */
  get closing(): boolean {
    return this.#closing;
  }

  /** Reports not ready from now on, regardless of the checks. Requests are still served. */
  startDraining(): void {
    this.#draining = true;
  }

  /** Sends `Connection: close` with replies from now on. */
  startClosing(): void {
    this.#draining = true;
    this.#closing = true;
  }

  async check(): Promise<ReadinessReport> {
    this.#round ??= this.#runRound().finally(() => {
      this.#round = undefined;
    });
    const { checks, facts } = await this.#round;
    const allUp = Object.values(checks).every((state) => state === 'up');
    return { ready: allUp && !this.#draining, draining: this.#draining, checks, facts };
  }

  async #runRound(): Promise<Round> {
    const [checks, facts] = await Promise.all([this.#runAll(this.#checks), this.#runAll(this.#facts)]);
    return {
      checks: Object.fromEntries(checks.map(([name, { status }]) => [name, status === 'fulfilled' ? 'up' : 'down'])),
      facts: Object.fromEntries(
        facts.flatMap(([name, answer]) => (answer.status === 'fulfilled' ? [[name, answer.value]] : [])),
      ),
    };
  }

  async #runAll<T>(tasks: Readonly<Record<string, () => Promise<T>>>) {
    const entries = Object.entries(tasks);
    const answers = await Promise.allSettled(
      entries.map(([, task]) => within(this.#timeoutMs, 'the check', Promise.resolve().then(task))),
    );
    return answers.map((answer, index) => [entries[index]?.[0] ?? '', answer] as const);
  }
}

const live = z.object({ status: z.literal('ok') }).describe('The process runs.');

const ready = z
  .object({
    status: z.enum(['ready', 'not ready']),
    draining: z.boolean().describe('A shutdown has begun; requests are still served.'),
    checks: z.record(z.string(), z.enum(['up', 'down'])).describe('Each back end this process needs.'),
    facts: z
      .record(z.string(), z.record(z.string(), z.union([z.string(), z.number()])))
      .optional()
      .describe('Informative values of the back ends that are up.'),
  })
  .describe('Whether a load balancer should send traffic here.');

/** `GET /health/live` uses no back end; `GET /health/ready` checks all of them and replies 503 while draining. */
export function healthRoutes(app: HttpApp, readiness: Readiness): void {
  app.get(
    '/health/live',
    {
      config: { probe: true },
      schema: { tags: ['health'], operationId: 'getLiveness', summary: 'Liveness', response: { 200: live } },
    },
    () => ({ status: 'ok' as const }),
  );
  app.get(
    '/health/ready',
    {
      config: { probe: true },
      schema: {
        tags: ['health'],
        operationId: 'getReadiness',
        summary: 'Readiness',
        response: { 200: ready, 503: ready },
      },
    },
    async (_request, reply) => {
      const report = await readiness.check();
      return reply.code(report.ready ? 200 : 503).send({
        status: report.ready ? 'ready' : 'not ready',
        draining: report.draining,
        checks: { ...report.checks },
        ...(Object.keys(report.facts).length === 0 ? {} : { facts: structuredClone(report.facts) }),
      });
    },
  );
}
