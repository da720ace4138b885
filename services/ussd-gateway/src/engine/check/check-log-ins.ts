import type { Flow, Screen } from '../flow.js';
import { effectsOf, goesOut, landingsOf } from '../screen-options.js';

/**
 * Finds problems of log-ins on a screen. Required: a log-in before each authenticated screen; an authenticated screen for each operation
 * that needs an account; an entry that requests a PIN for each operation that needs a secret. Not required: a log-in before any other
 * act. A webhook that pays may be used on an open screen: the author of the flow decides.
 */
export function checkLogIns(flow: Flow, screen: Screen): string[] {
  return [...checkPaths(flow, screen), ...checkNeeds(flow, screen)];
}

/** Only an act or a check of this service may lead from an open to an authenticated screen: external operations log in no subscriber. */
function checkPaths(flow: Flow, screen: Screen): string[] {
  if (screen.kind === 'closing' || screen.authenticated === true) return [];
  const used = effectsOf(screen).filter(({ effect }) => {
    const operation = flow.operations?.[effect];
    return operation === undefined || !goesOut(operation);
  });
  const results = new Set(used.flatMap((use) => Object.values(use.results)));
  return landingsOf(screen)
    .filter((landing) => !results.has(landing))
    .filter(({ to }) => {
      const target = to === undefined ? undefined : flow.screens[to];
      return target !== undefined && target.kind !== 'closing' && target.authenticated === true;
    })
    .map(({ to }) => `leads to the authenticated screen "${to}" without an act or a check`);
}

function checkNeeds(flow: Flow, screen: Screen): string[] {
  const typed = screen.kind === 'entry' && screen.entry.secret ? screen.entry.next : undefined;
  const isAuthenticated = screen.kind !== 'closing' && screen.authenticated === true;
  return effectsOf(screen).flatMap((use) => {
    const needs = flow.operations?.[use.effect]?.needs ?? [];
    return [
      ...(needs.includes('account') && !isAuthenticated
        ? [`"${use.effect}" needs a logged-in subscriber: add authenticated: true to the screen`]
        : []),
      ...(needs.includes('secret') && use !== typed
        ? [`"${use.effect}" needs a typed secret: use it in an entry that requests a PIN`]
        : []),
    ];
  });
}
