import type { Aggregator, AggregatorRules } from './adapter.js';
import { shippedAggregators } from './registry.js';

/** Ids of all shipped aggregators: a table of a test that misses one does not compile. */
export const aggregatorIds = [
  ...(['canonical', 'africastalking', 'hubtel', 'infobip'] as const),
  ...(['arkesel', 'comviva', 'jaza', 'kemrut', 'korba', 'moolre', 'nalo'] as const),
] as const;

export type AggregatorId = (typeof aggregatorIds)[number];

const makerOf =
  (id: AggregatorId) =>
  (rules: AggregatorRules): Aggregator => {
    const found = shippedAggregators().find((one) => one.id === id);
    if (found === undefined) throw new Error(`no aggregator ${id} is shipped`);
    return found.make(rules);
  };

export const aggregators = Object.fromEntries(aggregatorIds.map((id) => [id, makerOf(id)])) as Readonly<
  Record<AggregatorId, (rules: AggregatorRules) => Aggregator>
>;
