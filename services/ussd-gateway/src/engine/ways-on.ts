import type { EffectUse, Flow, Landing, Operation, Option, Screen } from './flow.js';

/** Every entry of a screen, printed or not. */
export function optionsOf(screen: Screen): readonly Option[] {
  return screen.kind === 'closing' ? [] : [...screen.options, ...screen.navigation];
}

/** Whether a screen is for somebody who is not logged in and has typed no secret before. */
export function isOpenToAll(flow: Flow, state: string): boolean {
  const screen = flow.screens[state];
  if (screen === undefined) return false;
  if (screen.kind === 'closing') return true;
  if (screen.authenticated === true) return false;
  return screen.kind === 'menu' || !(screen.entry.secret || screen.holdsSecret === true);
}

/** Every operation that a screen uses. */
export function effectsOf(screen: Screen): readonly EffectUse[] {
  const used = optionsOf(screen).filter((option) => 'effect' in option);
  return screen.kind === 'entry' && 'effect' in screen.entry.next ? [...used, screen.entry.next] : used;
}

/** Every place that a screen can lead to, apart from the exit, with the reason given there. */
export function landingsOf(screen: Screen): readonly Landing[] {
  const keys = optionsOf(screen).flatMap((option): Landing[] => {
    if ('refuse' in option) return [{ reason: option.refuse }];
    return 'to' in option ? [option] : [];
  });
  const results = effectsOf(screen).flatMap(({ results }) => Object.values(results));
  if (screen.kind !== 'entry') return [...keys, ...results];
  const { refusals, next } = screen.entry;
  return [...keys, ...results, ...Object.values(refusals), ...('to' in next ? [next] : [])];
}

/** A way that leads from a screen: where to, and the facts that become known on it. */
export interface WayOn {
  readonly landing: Landing;
  /** By what was typed, or by an operation's result. */
  readonly gives: readonly string[];
  /** Of these, what an operation's result tells: a reason may name it, whatever the next screen keeps. */
  readonly tells: readonly string[];
}

/** Every way on from a screen, apart from the exit; one that leads nowhere stays on it. */
export function waysOn(flow: Flow, screen: Screen): readonly WayOn[] {
  const entry = screen.kind === 'entry' ? screen.entry : undefined;
  const typed = entry === undefined || entry.secret ? [] : [entry.name];
  const byResult = effectsOf(screen).flatMap((use) =>
    Object.entries(use.results).map(([result, landing]): WayOn => {
      const tells = Object.keys(flow.operations?.[use.effect]?.results[result] ?? {});
      return { landing, tells, gives: use === entry?.next ? [...typed, ...tells] : tells };
    }),
  );
  const others = landingsOf(screen).filter((landing) => !byResult.some((way) => way.landing === landing));
  return [
    ...byResult,
    ...others.map((landing): WayOn => ({ landing, gives: landing === entry?.next ? typed : [], tells: [] })),
  ];
}

/** Whether somebody outside of this service learns of an operation: they get no secret, and log nobody in. */
export function goesOut({ kind, call }: Operation): boolean {
  return kind === 'query' || call !== undefined;
}
