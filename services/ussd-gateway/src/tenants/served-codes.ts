import type { KnownCodes } from '../aggregators/dialled.js';
import type { ServedServices } from './served-services.js';
import { defaultService } from './services-file.js';

/** Codes of fewer digits belong to operators; an input as short is a key of a menu. */
const longCode = /^\*[0-9]{3,}/;

/** The service codes that are served now: those of `services.yaml`, and those of the default service. */
export class ServedCodes implements KnownCodes {
  readonly #services: Pick<ServedServices, 'names' | 'find' | 'only'>;
  /** Those that the default service takes; any without one. */
  readonly #codes: readonly string[];

  constructor(services: Pick<ServedServices, 'names' | 'find' | 'only'>, codes: readonly string[]) {
    this.#services = services;
    this.#codes = codes;
  }

  names(serviceCode: string): boolean {
    return this.#codes.includes(serviceCode) || this.#services.names(serviceCode);
  }

  takesUnnamed(serviceCode: string): boolean {
    if (this.#codes.length > 0) return false;
    // With several services a key of a lost session must not lead to a menu of another service.
    if (this.#services.only === undefined && !longCode.test(serviceCode)) return false;
    return this.#services.find(defaultService) !== undefined;
  }

  get mayBeMissing(): boolean {
    return this.#services.only !== undefined;
  }

  /** Whether the default service takes a code. @param dials whether the hop begins a session: others need no code. */
  isOfDefault(serviceCode: string, dials: boolean): boolean {
    if (serviceCode === '') return !dials || this.mayBeMissing;
    return this.#codes.length === 0 || this.#codes.includes(serviceCode);
  }
}
