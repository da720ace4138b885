import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type AggregatorLine, aggregatorLines } from '../../test/support/aggregator-lines.js';
import type { Aggregator } from './adapter.js';
import { aggregatorRules } from './adapter-rules.fixture.js';
import { aggregatorsInCode, assertAggregators, checkAggregators, shippedAggregators } from './registry.js';
import { aggregatorIds, aggregators } from './shipped.fixture.js';
import { shippedDescriptions } from './yaml/read.js';

const served = aggregatorIds.map((id) => aggregators[id](aggregatorRules));
const [canonical, , hubtel] = served as [Aggregator, Aggregator, Aggregator];
const withEndpoint = (change: object): Aggregator => ({
  ...hubtel,
  endpoints: hubtel.endpoints.map((endpoint) => ({ ...endpoint, ...change })),
});

describe('the registry', () => {
  it('has every folder of code, and every description, under its name', () => {
    const local = readdirSync(fileURLToPath(new URL('.', import.meta.url)), { withFileTypes: true });
    const folders = local.filter((entry) => entry.isDirectory() && entry.name !== 'yaml').map(({ name }) => name);
    expect(aggregatorsInCode.map(({ id }) => id).toSorted()).toEqual(folders.toSorted());
    const files = readdirSync(shippedDescriptions).filter((name) => name.endsWith('.yaml'));
    const described = files.map((name) => name.replace('.aggregator.yaml', ''));
    expect(shippedAggregators().map(({ id }) => id)).toEqual([
      ...aggregatorsInCode.map(({ id }) => id),
      ...described.toSorted(),
    ]);
    expect(aggregatorIds.toSorted()).toEqual(Object.keys(aggregatorLines).toSorted());
    expect(served.map(({ id }) => id)).toEqual(aggregatorIds);
  });

  it('declares the text format of each aggregator', () => {
    const formatOf = ({ accumulates }: AggregatorLine) => (accumulates ? 'accumulated' : 'latest');
    const { canonical: _, ...others } = aggregatorLines;
    expect(Object.fromEntries(served.map(({ id, text }) => [id, text]))).toEqual({
      canonical: 'configured',
      ...Object.fromEntries(Object.entries(others).map(([id, line]) => [id, formatOf(line)])),
    });
  });

  it('is valid', () => {
    expect(checkAggregators(served)).toEqual([]);
  });
});

describe('is refused at start', () => {
  it.each([
    ['two aggregators of one id', [hubtel, hubtel], 'hubtel: there are two of this id'],
    ['an id that cannot name a variable', [{ ...hubtel, id: 'Hub-tel' }], 'Hub-tel: an id is'],
    ['one without an endpoint', [{ ...hubtel, endpoints: [] }], 'hubtel: has no endpoint'],
    [
      'an address taken twice',
      [canonical, withEndpoint({ path: '/api/ussd' })],
      'POST /api/ussd is taken by canonical',
    ],
    ['an address outside its own', [withEndpoint({ path: '/api/other' })], 'is not under /api/ussd/hubtel'],
    ['an unread path parameter', [withEndpoint({ path: '/api/ussd/hubtel/:x' })], 'does not name its parts'],
    [
      'a path parameter without a field',
      [withEndpoint({ path: '/api/ussd/hubtel/:x', inPath: ['x'] })],
      'has no field for :x',
    ],
  ])('with %s', (_name, set, problem) => {
    expect(() => assertAggregators(set)).toThrow(problem);
  });
});
