import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Aggregator } from './aggregator.js';
import { aggregatorRules } from './aggregator-rules.fixture.js';
import { assertAggregators, checkAggregators } from './check-aggregators.js';
import { aggregatorIds, aggregators } from './registry.js';

const served = aggregatorIds.map((id) => aggregators[id](aggregatorRules));
const [canonical, , hubtel] = served as [Aggregator, Aggregator, Aggregator];
const withDoor = (change: object): Aggregator => ({
  ...hubtel,
  doors: hubtel.doors.map((door) => ({ ...door, ...change })),
});

describe('the registry', () => {
  it('holds every folder, under its name', () => {
    const here = readdirSync(fileURLToPath(new URL('.', import.meta.url)), { withFileTypes: true });
    const folders = here.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect([...aggregatorIds].toSorted()).toEqual(folders.toSorted());
    expect(served.map(({ id }) => id)).toEqual(aggregatorIds);
  });

  it('says of each what its text holds', () => {
    expect(Object.fromEntries(served.map(({ id, text }) => [id, text]))).toEqual({
      canonical: 'configured',
      africastalking: 'accumulated',
      ...{ hubtel: 'latest', arkesel: 'latest', nalo: 'latest', infobip: 'latest', comviva: 'latest' },
    });
  });

  it('can be served', () => {
    expect(checkAggregators(served)).toEqual([]);
  });
});

describe('at start it is refused', () => {
  it.each([
    ['two aggregators of one id', [hubtel, hubtel], 'hubtel: there are two of this id'],
    ['an id that makes no variable', [{ ...hubtel, id: 'Hub-tel' }], 'Hub-tel: an id is'],
    ['one without an endpoint', [{ ...hubtel, doors: [] }], 'hubtel: has no endpoint'],
    ['an address taken twice', [canonical, withDoor({ path: '/api/ussd' })], 'POST /api/ussd is taken by canonical'],
    ['an address outside its own', [withDoor({ path: '/api/other' })], 'is not under /api/ussd/hubtel'],
    ['a path part nobody reads', [withDoor({ path: '/api/ussd/hubtel/:x' })], 'does not name its parts'],
    ['a path part without a field', [withDoor({ path: '/api/ussd/hubtel/:x', inPath: ['x'] })], 'has no field for :x'],
  ])('to have %s', (_name, set, problem) => {
    expect(() => assertAggregators(set)).toThrow(problem);
  });
});
