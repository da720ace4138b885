import type { Lease, RunRegister } from '../../runs/run-register.js';
import type { StopSignals } from '../../runs/stop-signals.js';
import type { Turn } from './turn.js';

export interface RunKeeperParts {
  readonly register: RunRegister;
  readonly signals: StopSignals;
  readonly lease: Lease;
  readonly renewMs: number;
  readonly active: ReadonlyMap<string, Turn>;
  /** Brings runs to an end whose writers are gone. */
  readonly recover: () => Promise<void>;
  readonly log: { error(fields: object, text: string): void };
}

/**
 * Holds the leases of this process's runs, passes on what the register says of them, and looks for runs that nobody
 * holds any more.
 */
export class RunKeeper {
  readonly #parts: RunKeeperParts;
  readonly #kept = new Map<string, string>();
  readonly #timer: NodeJS.Timeout;
  readonly #leave: () => void;
  #rounds: Promise<void> | undefined;
  #isAsked = false;
  /** An outage is logged once. */
  #isFailing = false;

  constructor(parts: RunKeeperParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.look(), parts.renewMs).unref();
    this.#leave = parts.signals.listen(() => void this.look());
  }

  /** Looks once more, after the round that is under way: that one may have read before what is to be seen. Never rejects. */
  look(): Promise<void> {
    this.#isAsked = true;
    this.#rounds ??= this.#lookWhileAsked().finally(() => {
      this.#rounds = undefined;
    });
    return this.#rounds;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#leave();
    await this.#rounds;
  }

  async #lookWhileAsked(): Promise<void> {
    while (this.#isAsked) {
      this.#isAsked = false;
      const wasFailing = this.#isFailing;
      try {
        await this.#renew();
        // After an outage every writer gets the time to renew before anybody takes its runs for lost.
        if (!wasFailing) await this.#parts.recover();
        this.#isFailing = false;
      } catch (err) {
        if (!this.#isFailing) this.#parts.log.error({ err }, 'leases of runs not renewed');
        this.#isFailing = true;
      }
    }
  }

  async #renew(): Promise<void> {
    const asked = [...this.#parts.active.values()];
    if (asked.length === 0) return;
    const texts = asked.map(({ run, draft }) => ({ runId: run.runId, partialText: draft.content }));
    const progress = texts.filter(({ runId, partialText }) => partialText !== (this.#kept.get(runId) ?? ''));
    const held = await this.#parts.register.renew(this.#parts.lease, progress);
    this.#kept.clear();
    for (const { runId, partialText } of texts) this.#kept.set(runId, partialText);
    const stops = new Map(held.map(({ runId, stop }) => [runId, stop]));
    for (const turn of asked) {
      const { runId } = turn.run;
      if (!this.#parts.active.has(runId)) continue;
      const stop = stops.get(runId);
      if (stop !== undefined) turn.stop(stop);
      else if (!stops.has(runId)) turn.stop('lost');
    }
  }
}
