import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  allows,
  changes,
  type EffectState,
  effectStates,
  statesWith,
  transitions,
  unshownStates,
} from './effect-states.js';

test('ARCHITECTURE.md lists the transitions of an effect exactly', () => {
  const text = readFileSync(new URL('../../../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const section = text.split('### States of an effect')[1]?.split(/^##/m)[0] ?? '';
  const rows = [...section.matchAll(/^\| `(\w+)` \| `(\w+)` \| `(\w+)` \|/gm)].map(([, ...row]) => row.join(' '));
  const table = effectStates.flatMap((from) =>
    Object.entries(transitions[from]).map(([event, to]) => `${from} ${event} ${to}`),
  );
  expect(rows).toEqual(table);
});

test('an event is allowed in the states that have a transition for it, and a second outcome changes none', () => {
  expect(statesWith('leased')).toEqual(['stored', 'pending', 'uncertain']);
  expect([allows('settled', 'leased'), allows('abandoned', 'reported')]).toEqual([false, true]);
  expect([changes('shown', 'answered'), changes('shown', 'corrected')]).toEqual([false, true]);
});

test('pending and uncertain, which are stored alike, have the same transitions', () => {
  expect(transitions.uncertain).toEqual(transitions.pending);
});

type Outcome = 'paid' | 'refused';
type Gateway = 'A' | 'B';

/** A run in one gateway: before the external call, or with its answer. */
interface Run {
  readonly key: string;
  readonly lease: number;
  readonly answer?: Outcome | 'pending' | 'lost';
}

interface ModelledEffect {
  readonly state: EffectState;
  readonly lease: number;
  readonly outcome?: Outcome;
}

interface World {
  readonly effects: Readonly<Record<string, ModelledEffect>>;
  readonly runs: Readonly<Partial<Record<Gateway, Run>>>;
  /** Actions of the external system, by idempotency key. */
  readonly done: Readonly<Record<string, Outcome>>;
  /** Dialogues waiting for an outcome: the first, its retry and the redial. */
  readonly waiting: readonly string[];
  readonly shown: readonly Outcome[];
  readonly left: Readonly<Record<'first' | 'retry' | 'redial' | 'callback' | 'crash', number>>;
}

type Table = typeof transitions;

const gateways = ['A', 'B'] as const;

/** All worlds reachable in one step. */
function successors(world: World, table: Table): World[] {
  const runs = gateways.flatMap((gateway) => {
    const run = world.runs[gateway];
    return run === undefined ? [] : [...crashes(world, gateway), ...progress(world, gateway, run, table)];
  });
  return [...requests(world), ...leases(world, table), ...runs, ...storeEvents(world, table)];
}

function withEffect(world: World, key: string, effect: ModelledEffect): World {
  return { ...world, effects: { ...world.effects, [key]: effect } };
}

function spend(world: World, what: keyof World['left']): World {
  return { ...world, left: { ...world.left, [what]: world.left[what] - 1 } };
}

function withoutRun(world: World, gateway: Gateway): World {
  const { [gateway]: _ended, ...runs } = world.runs;
  return { ...world, runs };
}

/** The first hop, its retry with the same key, and a redial, which has another key unless the outcome was seen. */
function requests(world: World): World[] {
  const { first, retry, redial } = world.left;
  if (first > 0) return [request(spend(world, 'first'), 'k1')];
  return [
    ...(retry > 0 ? [request(spend(world, 'retry'), 'k1')] : []),
    ...(redial > 0 && world.shown.length === 0 ? [request(spend(world, 'redial'), 'k2')] : []),
  ];
}

/** Models the store's `begin`: an effect with an outcome that was not shown blocks another one. */
function request(world: World, key: string): World {
  const isUnshown = (state: EffectState) => unshownStates.some((unshown) => unshown === state);
  const inTheWay = Object.entries(world.effects).find(([other, { state }]) => other === key || isUnshown(state));
  const begun = inTheWay === undefined ? withEffect(world, key, { state: 'stored', lease: 0 }) : world;
  return { ...begun, waiting: [...begun.waiting, inTheWay?.[0] ?? key].toSorted() };
}

function leases(world: World, table: Table): World[] {
  return Object.entries(world.effects).flatMap(([key, effect]) => {
    const state = table[effect.state].leased;
    if (state === undefined) return [];
    const lease = effect.lease + 1;
    return gateways
      .filter((gateway) => world.runs[gateway] === undefined)
      .map((gateway) => ({
        ...withEffect(world, key, { ...effect, state, lease }),
        runs: { ...world.runs, [gateway]: { key, lease } },
      }));
  });
}

function crashes(world: World, gateway: Gateway): World[] {
  return world.left.crash > 0 ? [withoutRun(spend(world, 'crash'), gateway)] : [];
}

/** The external call, which acts once per key, and then the change of its answer in the store. */
function progress(world: World, gateway: Gateway, run: Run, table: Table): World[] {
  const { key, answer, lease } = run;
  const effect = world.effects[key];
  if (answer === undefined) {
    const known = world.done[key];
    const renewed = effect?.lease === lease ? table[effect.state].renewed : undefined;
    const renewals = effect && renewed ? [withEffect(world, key, { ...effect, state: renewed })] : [];
    const calls = (known === undefined ? (['paid', 'refused'] as const) : [known]).flatMap((outcome) =>
      ([outcome, 'lost', 'pending'] as const).map((got) => ({
        ...world,
        done: { ...world.done, [key]: outcome },
        runs: { ...world.runs, [gateway]: { ...run, answer: got } },
      })),
    );
    return [...renewals, ...calls];
  }
  const ended = withoutRun(world, gateway);
  if (effect === undefined) return [ended];
  if (answer !== 'lost' && answer !== 'pending') return [settle(ended, key, 'answered', answer, table)];
  const state = table[effect.state][answer === 'lost' ? 'failed' : 'postponed'];
  const isHeld = effect.lease === lease && state !== undefined;
  return [isHeld ? withEffect(ended, key, { ...effect, state }) : ended];
}

function settle(world: World, key: string, event: 'answered' | 'reported', outcome: Outcome, table: Table): World {
  const effect = world.effects[key];
  const state = effect && table[effect.state][event];
  if (effect === undefined || state === undefined) return world;
  return withEffect(world, key, { ...effect, state, outcome: effect.outcome ?? outcome });
}

/** Store events: a lease expires (also of a live process that stalls), a callback arrives, an outcome is shown. */
function storeEvents(world: World, table: Table): World[] {
  return Object.entries(world.effects).flatMap(([key, effect]) => {
    const next: World[] = [];
    const { leaseExpired, acknowledged } = table[effect.state];
    if (leaseExpired !== undefined) next.push(withEffect(world, key, { ...effect, state: leaseExpired }));
    const outcome = world.done[key];
    if (world.left.callback > 0 && outcome !== undefined)
      next.push(settle(spend(world, 'callback'), key, 'reported', outcome, table));
    if (effect.outcome !== undefined && acknowledged !== undefined && world.waiting.includes(key)) {
      const waiting = world.waiting.toSpliced(world.waiting.indexOf(key), 1);
      const shown = [...new Set([...world.shown, effect.outcome])];
      next.push(withEffect({ ...world, waiting, shown }, key, { ...effect, state: acknowledged }));
    }
    return next;
  });
}

/** Breadth-first over all interleavings of at most `steps` steps, each distinct world once. */
function explore(steps: number, table: Table): Map<string, World> {
  const start: World = {
    effects: {},
    runs: {},
    done: {},
    waiting: [],
    shown: [],
    left: { first: 1, retry: 1, redial: 1, callback: 1, crash: 1 },
  };
  const keyOf = ({ effects, runs, done, ...rest }: World) =>
    JSON.stringify([effects['k1'], effects['k2'], runs.A, runs.B, done['k1'], done['k2'], rest]);
  const seen = new Map([[keyOf(start), start]]);
  let frontier = [start];
  for (let step = 0; step < steps; step++) {
    const reached: World[] = [];
    for (const world of frontier.flatMap((one) => successors(one, table))) {
      const key = keyOf(world);
      if (!seen.has(key)) {
        seen.set(key, world);
        reached.push(world);
      }
    }
    frontier = reached;
  }
  return seen;
}

const breaches = (worlds: Iterable<World>) =>
  [...worlds].filter(({ done, shown }) => Object.keys(done).length > 1 || shown.length > 1);

test('two gateways, a retry, a redial, a callback and a crash give one effect and show one outcome', () => {
  const worlds = explore(12, transitions);
  expect(breaches(worlds.values())).toEqual([]);
  // Every state of the table that needs no day to pass is reached.
  const reached = new Set(
    [...worlds.values()].flatMap(({ effects }) => Object.values(effects).map(({ state }) => state)),
  );
  expect([...reached].toSorted()).toEqual(['pending', 'running', 'settled', 'shown', 'stored', 'uncertain']);
  expect(worlds.size).toMatchInlineSnapshot(`11587`);
});

test('the exploration finds a violation in a table that drops an effect after a failed call', () => {
  const broken: Table = { ...transitions, running: { ...transitions.running, failed: 'shown' } };
  expect(breaches(explore(8, broken).values()).length).toBeGreaterThan(0);
});
