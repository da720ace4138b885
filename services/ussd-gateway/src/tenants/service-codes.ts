import type { KnownCodes } from '../aggregators/dialled.js';
import type { TenantRegistry } from './tenant-registry.js';
import { defaultTenant } from './tenants-file.js';
/** What is dialled to reach a service: one code, or those whose last group of digits lies between two numbers. */
export interface ServiceCodes {
  /** As it was written: `*384*1#` or `*384*10-19#`. */
  readonly written: string;
  /** What stands before the last group: `*384*`. */
  readonly before: string;
  /** The digits of the last group: `07` is no `7`. */
  readonly digits: number;
  readonly from: number;
  /** Included. */
  readonly to: number;
}

const form = /^(\*(?:[0-9]{1,9}\*)*)([0-9]{1,9})(?:-([0-9]{1,9}))?#$/;

/** Undefined for what is neither a code nor a range of codes. */
export function readServiceCodes(written: string): ServiceCodes | undefined {
  const [, before, first, last = first] = form.exec(written) ?? [];
  if (before === undefined || first === undefined || last === undefined || first.length !== last.length)
    return undefined;
  const [from, to] = [Number(first), Number(last)];
  return from <= to ? { written, before, digits: first.length, from, to } : undefined;
}

/** Why no caller may send a code, or the codes of a range; undefined where it may. @param levels as `SERVICE_CODE_LEVELS` has it */
export function tooManyGroups(written: string, levels: number): string | undefined {
  const groups = written.split('*').length - 1;
  if (groups <= levels) return undefined;
  return `${written} has ${groups} groups of digits, of which SERVICE_CODE_LEVELS lets in ${levels}`;
}

/** Whether nobody could say whose a code is: the same code twice, or two ranges that have one in common. One code out of a range is no clash. */
export function clash(one: ServiceCodes, other: ServiceCodes): boolean {
  const isCode = ({ from, to }: ServiceCodes) => from === to;
  return (
    isCode(one) === isCode(other) && groupOf(one) === groupOf(other) && one.from <= other.to && other.from <= one.to
  );
}

const groupOf = ({ before, digits }: ServiceCodes) => `${before}${digits}`;

/** Finds what a code belongs to; a code of its own wins over a range. */
export function routeCodes<To>(routes: readonly { readonly codes: ServiceCodes; readonly to: To }[]) {
  const exact = new Map<string, To>();
  const ranges = new Map<string, { readonly codes: ServiceCodes; readonly to: To }[]>();
  for (const route of routes) {
    const { codes } = route;
    if (codes.from === codes.to) exact.set(codes.written, route.to);
    else ranges.set(groupOf(codes), [...(ranges.get(groupOf(codes)) ?? []), route]);
  }
  return (dialled: string): To | undefined => {
    const known = exact.get(dialled);
    if (known !== undefined || ranges.size === 0) return known;
    const codes = readServiceCodes(dialled);
    const near = codes === undefined ? undefined : ranges.get(groupOf(codes));
    return near?.find(({ codes: { from, to } }) => codes !== undefined && from <= codes.from && codes.from <= to)?.to;
  };
}

/** Codes of fewer digits belong to operators; an input as short is a key of a menu. */
const longCode = /^\*[0-9]{3,}/;

/** The service codes that are served now: those of `services.yaml`, and those of the default service. */
export class ServedCodes implements KnownCodes {
  readonly #services: Pick<TenantRegistry, 'names' | 'find' | 'only'>;
  /** Those that the default service takes; any without one. */
  readonly #codes: readonly string[];

  constructor(services: Pick<TenantRegistry, 'names' | 'find' | 'only'>, codes: readonly string[]) {
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
    return this.#services.find(defaultTenant) !== undefined;
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
