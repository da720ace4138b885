import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, faultLine } from './fault-plan.js';
import { type Checkpoint, checkpoint } from './gauges.js';
import { injectionOf } from './injector.js';
import { untilAllReady } from './readiness.js';
import type { Scene } from './scene.js';
import type { Sky } from './sky.js';
import type { Tally } from './tally.js';

/** The time of a soak, which stands still while callers are held. */
export class Timeline {
  readonly #scene: Scene;
  readonly #sky: Sky;
  readonly #tally: Tally;
  readonly #wholeMs: number;
  #beganMs = performance.now();
  /** How long it took at most until all replicas were ready after a fault, and which fault that was. */
  slowestRecovery = { ms: 0, after: 'none' };
  /** When an oracle was killed. */
  readonly oracleKills: Date[] = [];

  constructor(scene: Scene, sky: Sky, tally: Tally, wholeMs: number) {
    this.#scene = scene;
    this.#sky = sky;
    this.#tally = tally;
    this.#wholeMs = wholeMs;
  }

  /** Does the plan, and looks at everything at a tenth and at the half of the time. Resolves when the time is over. */
  async run(plan: readonly Fault[]): Promise<{ readonly first: Checkpoint; readonly middle: Checkpoint }> {
    this.#beganMs = performance.now();
    const half = this.#wholeMs / 2;
    const first = await this.#look(0.1);
    for (const fault of plan.filter(({ atMs }) => atMs < half)) await this.#suffer(fault);
    const middle = await this.#look(0.5);
    for (const fault of plan.filter(({ atMs }) => atMs >= half)) await this.#suffer(fault);
    await this.#until(this.#wholeMs);
    return { first, middle };
  }

  async #look(share: number): Promise<Checkpoint> {
    await this.#until(this.#wholeMs * share);
    const heldMs = performance.now();
    const seen = await this.#sky.held(() => checkpoint(this.#scene, share));
    this.#beganMs += performance.now() - heldMs;
    return seen;
  }

  async #suffer(fault: Fault): Promise<void> {
    await this.#until(fault.atMs);
    process.stdout.write(`${faultLine(fault)}\n`);
    const injection = injectionOf(this.#scene, fault);
    this.#sky.begin();
    if (fault.kind === 'kill' && fault.target.startsWith('oracle')) this.oracleKills.push(new Date());
    try {
      await injection.begin();
      await sleep(fault.forMs);
    } catch (error) {
      this.#tally.violate('processes end in order and come back', `${faultLine(fault)}: ${String(error)}`);
    }
    await injection.end();
    this.#sky.end();
    for (const replica of this.#scene.replicas) {
      if (!replica.hasDied) continue;
      this.#tally.violate('no process ends by itself', `${replica.name} after ${faultLine(fault)}`);
      await replica.start();
    }
    void this.#recover(fault);
  }

  async #recover(fault: Fault): Promise<void> {
    const { tookMs, never } = await untilAllReady(this.#scene);
    if (tookMs > this.slowestRecovery.ms) this.slowestRecovery = { ms: tookMs, after: `${fault.kind} ${fault.target}` };
    // The next fault may have begun meanwhile.
    if (never.length > 0 && this.#sky.wasCalmSince(performance.now() - tookMs)) {
      this.#tally.violate('replicas are ready again', `${never.join(', ')} after ${faultLine(fault)}`);
    }
  }

  async #until(ms: number): Promise<void> {
    const leftMs = this.#beganMs + ms - performance.now();
    if (leftMs > 0) await sleep(leftMs);
  }
}
