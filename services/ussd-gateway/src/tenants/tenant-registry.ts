import { constantTimeEqual } from '@mlango/crypto/equality';
import { sha256Hex } from '@mlango/crypto/hashing';
import type { KnownCodes } from '../aggregators/dialled.js';
import type { Flow } from '../engine/flow.js';
import { buildFlow } from '../flows/build-flow.js';
import type { SentFlow, TenantSource } from './read-tenants.js';
import { routeCodes } from './service-codes.js';
import { Tenant, type TenantParts, type TenantSettings } from './tenant.js';
import { defaultTenant } from './tenants-file.js';

/** The active tenants, by service code. */
export class TenantRegistry {
  readonly #parts: TenantParts;
  #served = '';
  #byId = new Map<string, Tenant>();
  #dialled: (serviceCode: string) => Tenant | undefined = () => undefined;

  constructor(parts: TenantParts) {
    this.#parts = parts;
  }

  get all(): readonly Tenant[] {
    return [...this.#byId.values()];
  }

  /** Revisions of all loaded flows: those of new sessions, and those that sessions are on. */
  get revisions(): readonly string[] {
    return this.all.flatMap(({ hops }) => hops.rules.flows.flatMap(({ revision = [] }) => revision));
  }

  find(id: string): Tenant | undefined {
    return this.#byId.get(id);
  }

  /** The default tenant, if it is the only one: hops then need no routing. */
  get onlyTenant(): Tenant | undefined {
    return this.#byId.size === 1 ? this.#byId.get(defaultTenant) : undefined;
  }

  /** Whether a tenant lists this code. */
  names(serviceCode: string): boolean {
    return this.#dialled(serviceCode) !== undefined;
  }

  /** The tenant of a code, else the default tenant. Undefined if there is none. */
  dialled(serviceCode: string): Tenant | undefined {
    return this.#dialled(serviceCode) ?? this.#byId.get(defaultTenant);
  }

  /** The tenant of an operator token. All tokens are compared, so that the time reveals nothing. */
  operatedWith(token: string): Tenant | undefined {
    const digest = sha256Hex(token);
    return this.all.filter(({ settings }) => constantTimeEqual(digest, settings.operatorTokenSha256 ?? '')).at(-1);
  }

  /** Activates tenants. Flows that are loaded already, by revision, are reused. False if nothing has changed. */
  activate(sources: readonly TenantSource<SentFlow>[]): boolean {
    const served = JSON.stringify(sources.map((one) => ({ ...one, flows: one.flows.map(({ revision }) => revision) })));
    if (served === this.#served) return false;
    const flows = new Map<string | undefined, Flow>();
    for (const service of this.all) for (const flow of service.hops.rules.flows) flows.set(flow.revision, flow);
    const built = (source: SentFlow): Flow => {
      const flow = flows.get(source.revision) ?? (source.file && buildFlow(source).flow);
      if (flow === undefined) throw new Error(`the flow ${source.id} was unloaded meanwhile`);
      flows.set(source.revision, flow);
      return flow;
    };
    this.replace(
      sources.map(({ flows: [first, ...earlier], ...rest }) => ({
        ...rest,
        flows: [built(first), ...earlier.map(built)],
      })),
    );
    this.#served = served;
    return true;
  }

  replace(tenants: readonly TenantSettings[]): void {
    this.#byId = new Map(tenants.map((settings) => [settings.id, this.#opened(settings)]));
    this.#dialled = routeCodes(this.all.flatMap((to) => to.settings.codes.map((codes) => ({ codes, to }))));
  }

  #opened(settings: TenantSettings): Tenant {
    const known = this.#byId.get(settings.id);
    known?.replace(settings);
    return known ?? new Tenant(settings, this.#parts);
  }
}

/** Shorter codes belong to network operators; an input as short is a key of a menu. */
const longCode = /^\*[0-9]{3,}/;

/** The active service codes: those of `services.yaml`, and those of the default tenant. */
export class ServedCodes implements KnownCodes {
  readonly #tenants: Pick<TenantRegistry, 'names' | 'find' | 'onlyTenant'>;
  /** SERVICE_CODES: the codes of the default tenant; any if empty. */
  readonly #codes: readonly string[];

  constructor(tenants: Pick<TenantRegistry, 'names' | 'find' | 'onlyTenant'>, codes: readonly string[]) {
    this.#tenants = tenants;
    this.#codes = codes;
  }

  isListed(serviceCode: string): boolean {
    return this.#codes.includes(serviceCode) || this.#tenants.names(serviceCode);
  }

  acceptsUnlisted(serviceCode: string): boolean {
    if (this.#codes.length > 0) return false;
    // With several tenants a key of a lost session must not open the menu of another tenant.
    if (this.#tenants.onlyTenant === undefined && !longCode.test(serviceCode)) return false;
    return this.#tenants.find(defaultTenant) !== undefined;
  }

  get mayBeMissing(): boolean {
    return this.#tenants.onlyTenant !== undefined;
  }

  /**
   * Whether the default tenant serves a code. @param dials whether the hop begins a session: other hops need no code.
   */
  isOfDefault(serviceCode: string, dials: boolean): boolean {
    if (serviceCode === '') return !dials || this.mayBeMissing;
    return this.#codes.length === 0 || this.#codes.includes(serviceCode);
  }
}
