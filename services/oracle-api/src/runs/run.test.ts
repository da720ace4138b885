import { readFileSync } from 'node:fs';
import type { RunStatus } from '@mlango/schemas/oracle-events';
import { expect, it } from 'vitest';
import { runTransitions } from './run.js';
import { faultsOf, hasSettled, isOptional, start, steps, type World } from './run-model.fixture.js';

/** Equal for equal worlds of one exploration. */
const keyOf = ({ runs, phases, alive }: World) =>
  [...runs.map((run) => Object.values(run).join()), phases.join(), alive.join()].join(';');

function explore(from: readonly World[], depth: number, takes: (name: string) => boolean) {
  const seen = new Map<string, World>(from.map((world) => [keyOf(world), world]));
  const reverse = new Map<string, string[]>();
  let edge = [...seen.keys()];
  for (let step = 0; step < depth && edge.length > 0; step++) {
    const next: string[] = [];
    for (const key of edge) {
      for (const [name, world] of steps(seen.get(key) as World)) {
        if (!takes(name)) continue;
        const reached = keyOf(world);
        const before = reverse.get(reached);
        if (before === undefined) reverse.set(reached, [key]);
        else before.push(key);
        if (seen.has(reached)) continue;
        seen.set(reached, world);
        next.push(reached);
      }
    }
    edge = next;
  }
  return { seen, reverse };
}

it.each([
  ['enqueue', 28_811, 76_033],
  ['claim', 10_441, 29_275],
] as const)(
  'runs that begin by %s lose no answer, repeat no call or charge and end, in all %i states of 12 steps of two processes, a user and a crash (%i with their ends)',
  (by, states, statesWithEnds) => {
    const { seen } = explore([start(by)], 12, () => true);
    // From each world the processes alone bring every run to an end.
    const closed = explore([...seen.values()], Number.POSITIVE_INFINITY, (name) => !isOptional(name));
    const ending = [...closed.seen].filter(([, world]) => hasSettled(world)).map(([key]) => key);
    const canEnd = new Set(ending);
    for (let key = ending.pop(); key !== undefined; key = ending.pop()) {
      for (const before of closed.reverse.get(key) ?? []) {
        if (canEnd.has(before)) continue;
        canEnd.add(before);
        ending.push(before);
      }
    }
    const faults = new Set([...closed.seen.values()].flatMap(faultsOf));
    expect([...faults]).toEqual([]);
    expect([...closed.seen].filter(([key]) => !canEnd.has(key)).slice(0, 1)).toEqual([]);
    expect([seen.size, closed.seen.size]).toEqual([states, statesWithEnds]);
  },
  120_000,
);

it('ARCHITECTURE.md shows the table of transitions', () => {
  const text = readFileSync(new URL('../../../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const shown = (statuses: readonly RunStatus[]) =>
    statuses.length === 0 ? 'none' : statuses.map((status) => (status === 'waiting' ? 'suspended' : status)).join(', ');
  for (const [name, { from, to, stores, releases, publishes }] of Object.entries(runTransitions)) {
    expect(text).toContain(`| \`${name}\` | ${shown(from)} | ${shown(to)} | ${stores} | ${releases} | ${publishes} |`);
  }
});
