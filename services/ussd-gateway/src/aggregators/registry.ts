import type { KnownAggregator, MakeAggregator } from './adapter.js';
import { africastalking } from './africastalking/aggregator.js';
import { canonical } from './canonical/aggregator.js';
import { type DescriptionsRead, readDescriptions, shippedDescriptions } from './described/read.js';
import { hubtel } from './hubtel/aggregator.js';
import { infobip } from './infobip/aggregator.js';

const inCode = (id: string, name: string, make: MakeAggregator): KnownAggregator => ({
  ...{ id, name, make },
  caller: { secret: `AGGREGATOR_${id.toUpperCase()}_SECRET`, addresses: `AGGREGATOR_${id.toUpperCase()}_CIDRS` },
});

/** The aggregators that are written in code, each by the name of its folder. */
export const aggregatorsInCode: readonly KnownAggregator[] = [
  inCode('canonical', 'Canonical JSON', canonical),
  inCode('africastalking', "Africa's Talking", africastalking),
  inCode('hubtel', 'Hubtel', hubtel),
  inCode('infobip', 'Infobip', infobip),
];

let shipped: readonly KnownAggregator[] | undefined;

/** The aggregators of this package, in code and described. Read once: the files are part of the package. */
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

/** Every aggregator that can be served: those of this package, and those that are described in the folder of flows. */
export function readAggregators(folder: string | undefined): DescriptionsRead {
  const own = shippedAggregators();
  if (folder === undefined) return { aggregators: own, problems: [] };
  const { aggregators, problems } = readDescriptions(folder, own);
  return { aggregators: [...own, ...aggregators], problems };
}
