import { effectsOf, type Flow, type Landing, landingsOf, type Screen } from './flow.js';

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
