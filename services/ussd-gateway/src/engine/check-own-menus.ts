import type { Flow } from './flow.js';
import type { Problem } from './problem.js';
import { optionsOf } from './ways-on.js';

/** Menus that the engine goes to by itself: each has one key that does what no other screen can. */
const ownMenus = [
  { named: 'resumeOffer', does: 'resumes', verb: 'resumes', menu: 'the offer to resume' },
  { named: 'working', does: 'looksAgain', verb: 'looks again', menu: 'the screen of what is under way' },
] as const;

/** What would go wrong with the offer to go on after a lost session, and with the screen of what is under way. */
export function checkOwnMenus(flow: Flow): Problem[] {
  const acts = Object.values(flow.operations ?? {}).some(({ kind }) => kind === 'act');
  const isNeeded = flow.working === undefined && acts;
  return [
    ...(isNeeded ? [{ at: ['working'], says: 'a flow with acts needs a screen for those under way' }] : []),
    ...ownMenus.flatMap(({ named, does, verb, menu }): Problem[] => {
      const own = flow[named];
      const keysOf = (state: string) => {
        const screen = flow.screens[state];
        return screen === undefined ? 0 : optionsOf(screen).filter((option) => does in option).length;
      };
      const elsewhere = Object.keys(flow.screens)
        .filter((state) => state !== own && keysOf(state) > 0)
        .map((state) => ({ at: ['screens', state], says: `only ${menu} has a key that ${verb}` }));
      if (own === undefined) return elsewhere;
      if (flow.screens[own]?.kind !== 'menu')
        return [...elsewhere, { at: [named], says: `"${own}" is not a menu of this flow` }];
      const keys = keysOf(own);
      return keys === 1 ? elsewhere : [...elsewhere, { at: ['screens', own], says: `one key ${verb}, not ${keys}` }];
    }),
  ];
}
