import { z } from 'zod';
import { within } from '../async/within.js';
import type { HttpApp } from './http-app-type.js';

export type ReadinessCheck = () => Promise<void>;

/** What a back end says about itself, for people who look: shown in the report, never acted upon. */
export type ReadinessFacts = Readonly<Record<string, string | number>>;

export interface ReadinessOptions {
  /** Time limit of one check, 1,000 ms unless given. */
  readonly timeoutMs?: number;
  /** Asked beside the checks, under the same limit. One that fails is left out. */
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
 * Whether this process should get traffic. A check passes when its promise resolves within the time limit; checks run
 * side by side, and callers that ask while one round is under way share its result, so probes cannot pile up work.
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

  /** True when no new connection is accepted any more: callers on open ones are asked to leave. */
  get closing(): boolean {
    return this.#closing;
  }

  /** From now on the report says not ready, whatever the checks say. Requests are served as before. */
  startDraining(): void {
    this.#draining = true;
  }

  /** From now on replies say `Connection: close`. */
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
    const [checks, facts] = await Promise.all([this.#askAll(this.#checks), this.#askAll(this.#facts)]);
    return {
      checks: Object.fromEntries(checks.map(([name, { status }]) => [name, status === 'fulfilled' ? 'up' : 'down'])),
      facts: Object.fromEntries(
        facts.flatMap(([name, answer]) => (answer.status === 'fulfilled' ? [[name, answer.value]] : [])),
      ),
    };
  }

  async #askAll<T>(questions: Readonly<Record<string, () => Promise<T>>>) {
    const entries = Object.entries(questions);
    const answers = await Promise.allSettled(
      entries.map(([, ask]) => within(this.#timeoutMs, 'the check', Promise.resolve().then(ask))),
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
      .describe('What the back ends that are up say about themselves.'),
  })
  .describe('Whether a load balancer should send traffic here.');

/** `GET /health/live` never touches a back end; `GET /health/ready` asks them all and turns 503 when draining. */
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
