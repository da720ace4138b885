import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { onDatabases } from '../../test/support/on-databases.js';
import { ageEffects } from './age-effects.fixture.js';
import { type LeasedEffect, unanswered } from './effect.js';
import { type EffectEvent, type EffectState, effectEvents, effectStates, transitions } from './effect-states.js';
import { EffectStore } from './effect-store.js';
import { newEffect, outcome, rules } from './new-effect.fixture.js';
import { effectIntents } from './schema.js';

onDatabases((name, database) => {
  /** Makes an event happen; `result` is that of an outcome. */
  async function happen(event: EffectEvent, store: EffectStore, leased: LeasedEffect, result: string): Promise<void> {
    const { key } = leased;
    if (event === 'leased') await store.lease(key, rules.leaseMs);
    else if (event === 'renewed') await store.renew(leased, rules.leaseMs);
    else if (event === 'leaseExpired') await ageEffects(database())(rules.leaseMs + 1);
    else if (event === 'acknowledged') await store.acknowledge(key, 's');
    else if (event === 'corrected') await store.settle(key, { result }, 'reported');
    else if (event === 'answered' || event === 'reported') await store.settle(key, { result }, event);
    else await store.endRun(leased, { event, pauseMs: 60_000 });
  }
  /** The state of a new effect after these events; the last one has another result. */
  async function stateAfter(events: readonly EffectEvent[], result = outcome.result): Promise<EffectState | undefined> {
    const store = new EffectStore(database().db);
    const begun = await store.begin(newEffect(), rules);
    if (begun.kind !== 'begun') throw new Error('it was there before');
    const { leased } = begun;
    for (const event of events.slice(0, -1)) await happen(event, store, leased, result);
    for (const event of events.slice(-1)) await happen(event, store, leased, outcome.result);
    return (await store.find(leased.key))?.state;
  }
  /** The events that lead from a begun effect to each state. */
  const ways: Readonly<Record<EffectState, readonly EffectEvent[]>> = {
    stored: ['leaseExpired'],
    running: [],
    pending: ['postponed'],
    uncertain: ['failed'],
    settled: ['answered'],
    shown: ['answered', 'acknowledged'],
    abandoned: ['gaveUp'],
  };
  /** `uncertain` is stored as `pending`. */
  const asStored = (state: EffectState) => (state === 'uncertain' ? 'pending' : state);

  it.each(effectStates)(
    `an effect that is %s makes the transitions of the table, and no others, on ${name}`,
    async (state) => {
      expect(await stateAfter(ways[state])).toBe(asStored(state));
      for (const event of effectEvents) {
        // Only an outcome can be corrected.
        if (event === 'corrected' && transitions[state].corrected === undefined) continue;
        const before = event === 'corrected' ? unanswered : outcome.result;
        const next = transitions[state][event] ?? state;
        expect(await stateAfter([...ways[state], event], before), `${state} ${event}`).toBe(asStored(next));
      }
    },
  );

  it(`records contradictions of an outcome on ${name}, each once and at most ten`, async () => {
    const store = new EffectStore(database().db);
    const payment = newEffect();
    const { key } = payment;
    await store.begin(payment, rules);
    const first = { result: 'paid', facts: { reference: 'R-1' } };
    for (const same of [first, first]) expect(await store.settle(key, same, 'answered')).toEqual(first);
    const recorded = async () =>
      (await database().db.select().from(effectIntents).where(eq(effectIntents.key, key)))[0]?.contradictions;
    const lesser = [{ result: 'paid', facts: { reference: '-' } }, { result: 'paid' }, { result: 'unanswered' }];
    for (const one of lesser) expect(await store.settle(key, one, 'answered')).toEqual(first);
    expect(await recorded()).toBeNull();
    const another = { result: 'paid', facts: { reference: 'R-2' } };
    expect(await store.settle(key, another, 'answered')).toEqual(first);
    expect(await recorded()).toEqual([another]);
    for (const _ of [1, 2]) expect(await store.settle(key, { result: 'refused' }, 'answered')).toEqual(first);
    expect(await recorded()).toEqual([another, { result: 'refused' }]);
    for (let n = 0; n < 20; n++) await store.settle(key, { result: `other-${n}` }, 'answered');
    expect(await recorded()).toHaveLength(10);
  });
});
