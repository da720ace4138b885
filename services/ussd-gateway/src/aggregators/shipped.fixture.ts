import type { AggregatorId } from '../../test/support/aggregator-lines.js';
import type { Aggregator, AggregatorRules } from './adapter.js';
import { shippedAggregators } from './registry.js';

/** Ids of all shipped aggregators; each has a line of its own in the tests. */
export const aggregatorIds = shippedAggregators().map(({ id }) => id as AggregatorId);

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
