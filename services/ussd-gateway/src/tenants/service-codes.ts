/** The service codes of a tenant: one code, or a range of its last group of digits. */
export interface ServiceCodes {
  /** As written: `*384*1#` or `*384*10-19#`. */
  readonly written: string;
  /** The part before the last group: `*384*`. */
  readonly before: string;
  /** The number of digits in the last group: `07` differs from `7`. */
  readonly digits: number;
  readonly from: number;
  /** Included. */
  readonly to: number;
}

const form = /^(\*(?:[0-9]{1,9}\*)*)([0-9]{1,9})(?:-([0-9]{1,9}))?#$/;

/** Undefined for a text that is neither a code nor a range. */
export function readServiceCodes(written: string): ServiceCodes | undefined {
  const [, before, first, last = first] = form.exec(written) ?? [];
  if (before === undefined || first === undefined || last === undefined || first.length !== last.length)
    return undefined;
  const [from, to] = [Number(first), Number(last)];
  return from <= to ? { written, before, digits: first.length, from, to } : undefined;
}

/**
 * Explains why a code has too many groups; undefined if it has not. @param levels SERVICE_CODE_LEVELS
 */
export function tooManyGroups(written: string, levels: number): string | undefined {
  const groups = written.split('*').length - 1;
  if (groups <= levels) return undefined;
  return `${written} has ${groups} groups of digits, of which SERVICE_CODE_LEVELS allows ${levels}`;
}

/** Whether two entries overlap: equal codes, or ranges with a common code. A single code inside a range is allowed. */
export function clash(one: ServiceCodes, other: ServiceCodes): boolean {
  const isCode = ({ from, to }: ServiceCodes) => from === to;
  return (
    isCode(one) === isCode(other) && groupOf(one) === groupOf(other) && one.from <= other.to && other.from <= one.to
  );
}

const groupOf = ({ before, digits }: ServiceCodes) => `${before}${digits}`;

/** Routes codes. A single code wins over a range. */
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
