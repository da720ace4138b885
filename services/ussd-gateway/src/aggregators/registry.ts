import { africastalking } from './africastalking/aggregator.js';
import type { MakeAggregator } from './aggregator.js';
import { arkesel } from './arkesel/aggregator.js';
import { canonical } from './canonical/aggregator.js';
import { comviva } from './comviva/aggregator.js';
import { hubtel } from './hubtel/aggregator.js';
import { infobip } from './infobip/aggregator.js';
import { nalo } from './nalo/aggregator.js';

/** Every aggregator in service, by the name of its folder. Its settings, routes and checks come from this. */
export const aggregators = {
  canonical,
  africastalking,
  hubtel,
  arkesel,
  nalo,
  infobip,
  comviva,
} as const satisfies Record<string, MakeAggregator>;

export type AggregatorId = keyof typeof aggregators;

export const aggregatorIds = Object.keys(aggregators) as AggregatorId[];
