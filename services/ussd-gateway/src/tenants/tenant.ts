import type { Analytics } from '../analytics/analytics.js';
import type { HopOutcome } from '../analytics/hop-metrics.js';
import { cachedScreens } from '../engine/show.js';
import { ActiveFlows } from '../flows/active-flows.js';
import type { FlowSet } from '../flows/read-flow.js';
import type { HopRules } from '../sessions/decide-reply.js';
import type { HopDeps } from '../sessions/run-hop.js';
import type { TenantSource } from './read-tenants.js';
import { TenantLimiter } from './tenant-limiter.js';

/** The parts that all tenants share. */
export interface TenantParts {
  readonly hops: Omit<HopDeps, 'rules' | 'assertMayBeginSession' | 'recorder'>;
  readonly rules: Omit<HopRules, 'flows' | 'facts' | 'cachedShow'>;
  readonly analyticsOf: (tenant: string) => Analytics;
  /** Longest time in which a session can continue after its last hop, including its resume point. */
  readonly retentionMs: number;
}

/** The settings of a tenant, with its flows as the engine runs them. */
export interface TenantSettings extends Omit<TenantSource, 'flows'> {
  readonly flows: FlowSet;
}

/** A tenant: flows, a name and counters, reached by its service codes. The object stays the same when its settings change. */
export class Tenant {
  readonly id: string;
  readonly analytics: Analytics;
  /** Its hops by outcome, since the start. */
  readonly counted: Record<HopOutcome, number> = {
    answered: 0,
    refused: 0,
    limited: 0,
    invalid: 0,
    deadline: 0,
    unavailable: 0,
  };
  readonly limiter: TenantLimiter;
  readonly #flows: ActiveFlows;
  readonly #parts: TenantParts;
  #settings: TenantSettings;
  #hops: HopDeps;

  constructor(settings: TenantSettings, parts: TenantParts) {
    this.id = settings.id;
    this.#settings = settings;
    this.#parts = parts;
    this.analytics = parts.analyticsOf(settings.id);
    this.limiter = new TenantLimiter(settings.id, parts.hops.store);
    this.#flows = new ActiveFlows(settings.flows, { retentionMs: parts.retentionMs, clock: parts.hops.clock });
    this.#hops = this.#partsNow();
  }

  get settings(): TenantSettings {
    return this.#settings;
  }

  /** The parts to run its hops. */
  get hops(): HopDeps {
    return this.#hops;
  }

  /** New sessions use these settings from now on. */
  replace(settings: TenantSettings): void {
    const isRenamed = settings.name !== this.#settings.name;
    this.#settings = settings;
    this.#flows.replace(settings.flows);
    if (isRenamed) this.#hops = this.#partsNow();
  }

  #partsNow(): HopDeps {
    const { hops, rules } = this.#parts;
    const flows = this.#flows;
    const facts = { appName: this.#settings.name };
    return {
      ...hops,
      rules: {
        ...rules,
        get flows() {
          return flows.now;
        },
        facts,
        cachedShow: cachedScreens(facts),
      },
      assertMayBeginSession: () => this.limiter.begin(this.#settings.limits),
      recorder: this.analytics,
    };
  }
}
