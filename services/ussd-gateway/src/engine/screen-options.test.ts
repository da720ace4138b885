import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { mapFlow } from '../analytics/map-flow.js';
import { loadFlows } from '../tenants/load-flows.fixture.js';
import { applyInput } from './apply-input.js';
import { applyOutcome } from './apply-outcome.js';
import { longestPage, writtenPages } from './check/screen-pages.js';
import type { Flow, MenuScreen } from './flow.js';
import type { Position } from './position.js';
import { cachedScreens, show } from './show.js';

const folder = fileURLToPath(new URL('../../../../examples/pay-a-bill/flows', import.meta.url));
const facts = { appName: 'Mlango' };
const [flow] = loadFlows(folder, facts);
const bills = flow.screens['bills'] as MenuScreen;
const wanted = { state: 'bills', screen: bills, language: 'en' };
const water = { name: 'Water', amount: '250', reference: 'W-1042', state: 'due' };
const at = (items: readonly (typeof water)[]): Position => ({
  state: 'bills',
  language: 'en',
  choices: {},
  page: 0,
  lists: { bills: items },
});

describe('a screen with a list', () => {
  it('is drawn on the map with the list as its transition', () => {
    const { ways, screens } = mapFlow(flow, [], facts);
    expect(ways).toContainEqual(
      expect.objectContaining({ from: 'bills', to: 'confirm', by: ['bills'], kind: 'written' }),
    );
    expect(ways).toContainEqual(expect.objectContaining({ from: 'menu', to: 'bills', by: ['1 findBills: found'] }));
    expect(screens.map(({ screen }) => screen)).toContain('bills');
  });

  it('is printed for a reader with the fields of one item, and at its longest with all items', () => {
    expect(writtenPages(flow, wanted, facts)).toEqual(['Which bill do you pay?\n1. {name} {amount}\n0. Back']);
    expect(longestPage(flow, wanted, facts)).toMatch(/ŵ{20} 9{9}\n/);
  });

  it('is rendered per session and never cached', () => {
    const print = cachedScreens(facts);
    for (const name of ['Water', 'Electricity', 'Water'])
      expect(print(flow, at([{ ...water, name }]), facts).message).toContain(`1. ${name} 250`);
  });

  it('offers no item without its list, as after a change of the flow', () => {
    const { lists: _, ...without } = at([]);
    expect(show(flow, without, facts).message).toBe('Which bill do you pay?\n0. Back');
    expect(applyInput(flow, without, '1', { facts, arrivedAtMs: 0 })).toMatchObject({
      position: { notice: { text: 'wrongChoice' } },
    });
  });

  it('can start an operation with the chosen item and follow its outcome', () => {
    const results = { paid: { to: 'receipt' }, refused: { to: 'menu' }, unanswered: { to: 'menu' } };
    const list = { from: 'bills', label: bills.list?.label ?? '', effect: 'pay', results };
    const asking: Flow = { ...flow, screens: { ...flow.screens, bills: { ...bills, list } } };
    const asked = applyInput(asking, at([water, { ...water, reference: 'W-2' }]), '2', { facts, arrivedAtMs: 0 });
    if (asked.kind !== 'effect') throw new Error('it asks for nothing');
    expect(asked.position.entries).toEqual({ ...water, reference: 'W-2' });
    const outcome = { result: 'paid', facts: { receipt: 'R-1' } };
    const landed = applyOutcome(asking, asked, outcome, { facts, arrivedAtMs: 0 });
    expect(landed && show(asking, landed, facts).message).toBe('250 paid for Water. Receipt: R-1');
  });
});
