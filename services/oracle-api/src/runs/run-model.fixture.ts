import type { RunStatus } from '@mlango/schemas/oracle-events';
import { isLive, type RunTransition, sourcesOf, takenOver, targetOf } from './run.js';

/*
 * A model of two processes, one user and one crash over the table of transitions: two runs of a session, each with at most one tool
 * call. `run.test.ts` explores every interleaving.
 */

/** How a message starts its run (`RUN_CONFLICT`). */
type StartMode = 'claim' | 'enqueue';

type Phase = 'idle' | 'claiming' | 'queued' | 'work' | 'answered' | 'stored' | 'reported';

interface ModelRun {
  status: RunStatus | 'absent';
  writer: number;
  stop: boolean;
  answer: boolean;
  hold: boolean;
  /** Whether it ran, so that its end requires an answer. */
  ran: boolean;
  /** Its only tool call, which requires approval. */
  call: 'none' | 'waiting' | 'approved' | 'denied' | 'begun';
  executed: number;
  /** Parts of its usage that were produced, and those that meters received; meters count a part once. */
  parts: number;
  reported: string;
}

export interface World {
  start: StartMode;
  runs: ModelRun[];
  /** The phase of each process for each run. */
  phases: Phase[][];
  alive: boolean[];
}

export const start = (by: StartMode): World => ({
  start: by,
  runs: [0, 1].map(() => ({
    status: 'absent',
    writer: -1,
    stop: false,
    answer: false,
    hold: false,
    ran: false,
    call: 'none',
    executed: 0,
    parts: 0,
    reported: '',
  })),
  phases: [0, 1].map(() => ['idle', 'idle']),
  alive: [true, true],
});

const may = (transition: RunTransition, { status }: ModelRun) =>
  status !== 'absent' && sourcesOf(transition).includes(status);
const isOccupied = (runs: readonly ModelRun[]) =>
  runs.some(({ status }) => status === 'running' || status === 'recovering');
const report = (run: ModelRun) => {
  if (run.parts > 0 && !run.reported.includes(String(run.parts))) run.reported += run.parts;
};

type Step = readonly [name: string, next: World];

function after(world: World, change: (next: World) => void): World {
  const { start: by, runs, phases, alive } = world;
  const next = {
    start: by,
    runs: runs.map((run) => ({ ...run })),
    phases: phases.map((of) => [...of]),
    alive: [...alive],
  };
  change(next);
  return next;
}

/** A step of process `p` on run `r`: the next world, where `change` returns the phase after it. */
const goer = (world: World, p: number, r: number) => (change: (run: ModelRun) => Phase) =>
  after(world, ({ runs, phases }) => {
    (phases[p] as Phase[])[r] = change(runs[r] as ModelRun);
  });

/** Every next step, by name: `user` and `crash` steps are optional, all others happen eventually. */
export function steps(world: World): Step[] {
  const all = userSteps(world);
  for (const [p, isAlive] of world.alive.entries()) {
    if (!isAlive) continue;
    all.push(...arrivals(world, p));
    for (const r of world.runs.keys()) {
      all.push(
        ...leaseSteps(world, p, r),
        ...claimSteps(world, p, r),
        ...queueSteps(world, p, r),
        ...workSteps(world, p, r),
        ...endSteps(world, p, r),
      );
    }
  }
  return all;
}

function arrivals(world: World, p: number): Step[] {
  const all: Step[] = [];
  const unsent = world.runs.findIndex(
    ({ status }, r) => status === 'absent' && world.phases.every((phases) => phases[r] === 'idle'),
  );
  if (unsent !== -1) {
    const sent = goer(
      world,
      p,
      unsent,
    )((run) => {
      if (world.start === 'claim') return 'claiming';
      Object.assign(run, { status: targetOf('enqueue'), writer: p, hold: true });
      return 'queued';
    });
    all.push(['user send', sent]);
  }
  if (world.alive.every(Boolean)) {
    const crashed = after(world, ({ alive, phases }) => {
      alive[p] = false;
      phases[p] = ['idle', 'idle'];
    });
    all.push(['crash', crashed]);
  }
  return all;
}

const isOpen = ({ status }: ModelRun) => status !== 'absent' && isLive(status);

/** A lease is lost when its process dies or is too slow. */
function leaseSteps(world: World, p: number, r: number): Step[] {
  const run = world.runs[r] as ModelRun;
  const go = goer(world, p, r);
  const isHeld = run.writer === p;
  if (run.status === 'absent') return [];
  if (world.phases[p]?.[r] !== 'idle') return isHeld && isOpen(run) ? [] : [['lose', go(() => 'idle')]];
  if (isHeld || !may('takeOver', run)) return [];
  const taken = go((it) => {
    it.status = takenOver(it.status as RunStatus);
    it.writer = p;
    return 'answered';
  });
  return [[world.alive[run.writer] === true ? 'crash of a lease' : 'take over', taken]];
}

function queueSteps(world: World, p: number, r: number): Step[] {
  const run = world.runs[r] as ModelRun;
  const go = goer(world, p, r);
  const phase = world.phases[p]?.[r];
  if (phase === 'idle' && may('resume', run) && run.call !== 'waiting' && !isOccupied(world.runs)) {
    const resumed = go((it) => {
      Object.assign(it, { status: targetOf('resume'), writer: p, stop: false, parts: it.parts + 1 });
      return 'work';
    });
    return [['resume', resumed]];
  }
  if (phase !== 'queued') return [];
  const all: Step[] = run.stop ? [['stop in the queue', go(() => 'answered')]] : [];
  const isFirst = !world.runs.slice(0, r).some(isOpen);
  if (run.writer === p && may('advance', run) && isFirst && !isOccupied(world.runs)) {
    const advanced = go((it) => {
      Object.assign(it, { status: targetOf('advance'), ran: true, parts: it.parts + 1 });
      return 'work';
    });
    all.push(['advance', advanced]);
  }
  return all;
}

/** A message claims its session, or stops the run that occupies it and repeats the claim. */
function claimSteps(world: World, p: number, r: number): Step[] {
  if (world.phases[p]?.[r] !== 'claiming') return [];
  if (!isOccupied(world.runs)) {
    const claimed = goer(
      world,
      p,
      r,
    )((it) => {
      Object.assign(it, { status: targetOf('claim'), writer: p, hold: true, ran: true, parts: 1 });
      return 'work';
    });
    return [['claim', claimed]];
  }
  const stopped = after(world, ({ runs }) => {
    for (const run of runs) run.stop ||= isOpen(run);
  });
  return world.runs.some((run) => isOpen(run) && !run.stop) ? [['make room', stopped]] : [];
}

function workSteps(world: World, p: number, r: number): Step[] {
  if (world.phases[p]?.[r] !== 'work') return [];
  const run = world.runs[r] as ModelRun;
  const go = goer(world, p, r);
  if (run.stop || run.call !== 'none') {
    const acted = go((it) => {
      // One of several processes begins an approved call.
      if (it.call === 'approved' && !it.stop) Object.assign(it, { call: 'begun', executed: it.executed + 1 });
      return 'answered';
    });
    return [['act on the decision', acted]];
  }
  const suspended = go((it) => {
    if (it.writer === p && may('suspend', it)) {
      report(it);
      Object.assign(it, { status: targetOf('suspend'), call: 'waiting', answer: true });
    }
    return 'idle';
  });
  return [
    ['answer', go(() => 'answered')],
    ['suspend', suspended],
  ];
}

/** The order of finishing: store the answer, report usage, end the run. */
function endSteps(world: World, p: number, r: number): Step[] {
  const go = goer(world, p, r);
  switch (world.phases[p]?.[r]) {
    case 'answered': {
      const stored = go((it) => {
        it.answer ||= it.ran;
        return 'stored';
      });
      return [['store the answer', stored]];
    }
    case 'stored': {
      const reported = go((it) => {
        report(it);
        return 'reported';
      });
      return [['report usage', reported]];
    }
    case 'reported': {
      const ended = go((it) => {
        if (it.writer === p && may('end', it))
          Object.assign(it, { status: it.stop ? 'aborted' : 'finished', hold: false });
        return 'idle';
      });
      return [['end', ended]];
    }
    default:
      return [];
  }
}

function userSteps(world: World): Step[] {
  const all: Step[] = [];
  if (world.runs.some((run) => (isOpen(run) && !run.stop) || run.call === 'waiting')) {
    const aborted = after(world, ({ runs }) => {
      for (const run of runs) {
        run.stop ||= isOpen(run);
        if (run.call === 'waiting') run.call = 'denied';
      }
    });
    all.push(['user abort', aborted]);
  }
  for (const [r, { call }] of world.runs.entries()) {
    if (call !== 'waiting') continue;
    const decide = (decision: 'approved' | 'denied') =>
      after(world, ({ runs }) => {
        (runs[r] as ModelRun).call = decision;
      });
    all.push(['user approve', decide('approved')], ['expire', decide('denied')]);
  }
  return all;
}

/** Invalid conditions of a world; none is reachable. */
export function faultsOf({ runs }: World): string[] {
  const running = runs.filter(({ status }) => status === 'running' || status === 'recovering').length;
  return [
    ...(running > 1 ? ['two runs of a session run'] : []),
    ...runs.flatMap((run) => {
      const { status, answer, ran, executed, parts, reported, hold } = run;
      const hasEnded = status !== 'absent' && !isOpen(run) && status !== 'waiting';
      return [
        ...(executed > 1 ? ['a call was made twice'] : []),
        ...(new Set(reported).size !== reported.length || reported.length > parts ? ['a part was charged twice'] : []),
        ...(hasEnded && ran && !answer ? ['an answer was lost'] : []),
        ...(hasEnded && reported.length !== parts ? ['usage was lost'] : []),
        ...(hasEnded && hold ? ['a payment hold stays'] : []),
      ];
    }),
  ];
}

export const hasSettled = ({ runs, phases }: World) =>
  phases.flat().every((phase) => phase !== 'claiming') &&
  runs.every(({ status }) => status === 'absent' || (!isLive(status) && status !== 'waiting'));
export const isOptional = (name: string) => name.startsWith('user') || name.startsWith('crash');
