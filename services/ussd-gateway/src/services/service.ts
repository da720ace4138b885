import type { Analytics } from '../analytics/read-report.js';
import { rememberScreens } from '../engine/remember-screens.js';
import type { FlowsInService } from '../flows/in-service.js';
import { ServedFlows } from '../flows/served-flows.js';
import type { HopRules } from '../sessions/answer-hop.js';
import type { SessionParts } from '../sessions/answer-under-lock.js';
import type { ServiceSource } from './read-services.js';

/** What all services share. */
export interface ServiceParts {
  readonly hops: Omit<SessionParts, 'rules' | 'watcher'>;
  readonly rules: Omit<HopRules, 'flows' | 'facts' | 'print'>;
  readonly analyticsOf: (service: string) => Analytics;
  /** How long a session may go without a hop, its lost place included. */
  readonly keptMs: number;
}

/** A service that was read, with its flows as the engine runs them. */
export interface ServiceSettings extends Omit<ServiceSource, 'flows'> {
  readonly flows: FlowsInService;
}

/** What is dialled by some codes: flows, a name, counts of its own. It stays the same one while its settings change. */
export class Service {
  readonly id: string;
  readonly analytics: Analytics;
  readonly #flows: ServedFlows;
  readonly #parts: ServiceParts;
  #settings: ServiceSettings;
  #hops: SessionParts;

  constructor(settings: ServiceSettings, parts: ServiceParts) {
    this.id = settings.id;
    this.#settings = settings;
    this.#parts = parts;
    this.analytics = parts.analyticsOf(settings.id);
    this.#flows = new ServedFlows(settings.flows, { keptMs: parts.keptMs, clock: parts.hops.clock });
    this.#hops = this.#partsNow();
  }

  get settings(): ServiceSettings {
    return this.#settings;
  }

  /** What its hops are run with. */
  get hops(): SessionParts {
    return this.#hops;
  }

  /** Dials begin on this from now on. */
  replace(settings: ServiceSettings): void {
    const isRenamed = settings.name !== this.#settings.name;
    this.#settings = settings;
    this.#flows.replace(settings.flows);
    if (isRenamed) this.#hops = this.#partsNow();
  }

  /** Stores what was counted. */
  close(): Promise<void> {
    return this.analytics.recorder.close();
  }

  #partsNow(): SessionParts {
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
        print: rememberScreens(facts),
      },
      watcher: this.analytics.recorder,
    };
  }
}
