import type { Flow } from './flow.js';
import { type Place, type Position, startOf } from './position.js';
import { effectsOf, isOpenToAll, optionsOf } from './screen-options.js';

/**
 * Where a session that is lost now may be taken up by the next dial. Undefined within a secret step or a log-in, where
 * what the user wanted is done, and where it would save nobody anything: on the first screen and those a key away from it.
 */
export function placeToResume(flow: Flow, position: Position): Place | undefined {
  if (position.state === flow.resumeOffer) return position.resume;
  const { state, language, choices, page, entries, lists } = position;
  if (!resumableStates(flow).has(state)) return undefined;
  return { state, language, choices, page, entries, ...(lists && { lists }) };
}

/** The screen that asks whether to go on at a place, or undefined if the flow cannot offer it. */
export function offerToResume(flow: Flow, left: Place): Position | undefined {
  const { resumeOffer } = flow;
  if (resumeOffer === undefined || !resumableStates(flow).has(left.state)) return undefined;
  return { ...startOf(flow, left.language), state: resumeOffer, resume: left };
}

const resumableByFlow = new WeakMap<Flow, ReadonlySet<string>>();

/** Found once for each flow: it is asked for at every hop. */
function resumableStates(flow: Flow): ReadonlySet<string> {
  const states = resumableByFlow.get(flow) ?? findResumable(flow);
  resumableByFlow.set(flow, states);
  return states;
}

/** The screens that somebody may come to by a dial alone, and that tell nothing of what was done. */
function findResumable(flow: Flow): ReadonlySet<string> {
  const { screens, start, resumeOffer, working, operations } = flow;
  const nearStart = screens[start] === undefined ? [] : optionsOf(screens[start]);
  // What was only asked, of the chain, may be looked at again.
  const done = Object.values(screens)
    .flatMap(effectsOf)
    .filter(({ effect }) => operations?.[effect]?.kind !== 'query')
    .flatMap(({ results }) => Object.values(results));
  const others = new Set([start, resumeOffer, working, ...[...nearStart, ...done].map((way) => 'to' in way && way.to)]);
  const isOpen = (state: string) => screens[state]?.kind !== 'closing' && isOpenToAll(flow, state);
  return new Set(Object.keys(screens).filter((state) => isOpen(state) && !others.has(state)));
}
