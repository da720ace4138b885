import type { Aggregator, Endpoint, KnownAggregator, MakeAggregator } from './adapter.js';
import { africastalking } from './africastalking/aggregator.js';
import { canonical } from './canonical/aggregator.js';
import { hubtel } from './hubtel/aggregator.js';
import { infobip } from './infobip/aggregator.js';
import { type DescriptionsRead, readDescriptions, shippedDescriptions } from './yaml/read.js';

const inCode = (id: string, name: string, make: MakeAggregator): KnownAggregator => ({
  id,
  name,
  make,
  caller: { secret: `AGGREGATOR_${id.toUpperCase()}_SECRET`, addresses: `AGGREGATOR_${id.toUpperCase()}_CIDRS` },
});

/** Aggregators written in code, by the name of their folder. */
export const aggregatorsInCode: readonly KnownAggregator[] = [
  inCode('canonical', 'Canonical JSON', canonical),
  inCode('africastalking', "Africa's Talking", africastalking),
  inCode('hubtel', 'Hubtel', hubtel),
  inCode('infobip', 'Infobip', infobip),
];

let shipped: readonly KnownAggregator[] | undefined;

/** Aggregators of this package, in code and described. Read once: the files are part of the package. */
export function shippedAggregators(): readonly KnownAggregator[] {
  if (shipped === undefined) {
    const { aggregators, problems } = readDescriptions(shippedDescriptions, aggregatorsInCode);
    if (problems.length > 0) throw new Error(['The shipped aggregators are not sound:', ...problems].join('\n  '));
    if (aggregators.length === 0)
      throw new Error(`This package is not complete: ${shippedDescriptions} has no descriptions`);
    shipped = [...aggregatorsInCode, ...aggregators];
  }
  return shipped;
}

/** Every supported aggregator: those of this package, and those described in the folder of flows. */
export function readAggregators(folder: string | undefined): DescriptionsRead {
  const own = shippedAggregators();
  if (folder === undefined) return { aggregators: own, problems: [] };
  const { aggregators, problems } = readDescriptions(folder, own);
  return { aggregators: [...own, ...aggregators], problems };
}

/** Problems of a set of aggregators, one sentence each; empty if they can be served together. */
export function checkAggregators(aggregators: readonly Aggregator[]): string[] {
  const ids = aggregators.map(({ id }) => id);
  const problems = ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id}: there are two of this id`);
  const taken = new Map<string, string>();
  for (const { id, endpoints } of aggregators) {
    const own = /^[a-z][a-z0-9]{1,30}$/.test(id) ? [] : ['an id is 2 to 31 letters and digits, all lower case'];
    if (endpoints.length === 0) own.push('has no endpoint');
    for (const endpoint of endpoints) {
      const place = `${endpoint.method} ${endpoint.path}`;
      const other = taken.get(place);
      if (other !== undefined) own.push(`${place} is taken by ${other}`);
      taken.set(place, id);
      own.push(...checkPath(id, endpoint).map((problem) => `${place} ${problem}`));
    }
    problems.push(...own.map((problem) => `${id}: ${problem}`));
  }
  return problems;
}

function checkPath(id: string, { path, inPath, wire }: Endpoint): string[] {
  const problems: string[] = [];
  const own = `/api/ussd/${id}`;
  if (path !== '/api/ussd' && path !== own && !path.startsWith(`${own}/`)) problems.push(`is not under ${own}`);
  const parts = [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name]) => name);
  if (parts.join() !== inPath.join()) problems.push('does not name its parts in the path');
  const unread = inPath.filter((name) => !Object.hasOwn(wire.shape, name));
  return [...problems, ...unread.map((name) => `has no field for :${name}`)];
}

/** @throws {Error} naming every problem. */
export function assertAggregators(aggregators: readonly Aggregator[]): void {
  const problems = checkAggregators(aggregators);
  if (problems.length > 0) throw new Error(['The aggregators cannot be served:', ...problems].join('\n  '));
}
