import type { Lists } from './declared-list.js';
import type { Facts, Flow, Landing } from './flow.js';
import type { EffectOutcome, Position } from './position.js';
import { show } from './show.js';

/** Goes to a screen. What it does not keep is forgotten; without an account nobody sees an authenticated one. */
export function enter(flow: Flow, from: Position, state: string): Position {
  const screen = flow.screens[state];
  const { language, choices, account } = from;
  const there: Position = { state, language, choices, page: 0 };
  if (screen === undefined) return there;
  const isAuthenticated = screen.kind !== 'closing' && screen.authenticated === true;
  if (isAuthenticated && account === undefined) return enter(flow, from, flow.start);
  const entries = kept(screen.keeps, from.entries);
  const lists = from.lists && kept<Lists[string]>(screen.keeps, from.lists);
  if (entries === undefined && lists === undefined && !isAuthenticated) return there;
  return { ...there, ...(entries && { entries }), ...(lists && { lists }), ...(isAuthenticated ? { account } : {}) };
}

/** Goes where a landing says, with its reason on top; without a target, to the same page again. */
export function land(flow: Flow, from: Position, landing: Landing, facts: Facts, outcome?: EffectOutcome): Position {
  const told = outcome?.facts === undefined || landing.reason === undefined ? {} : { facts: outcome.facts };
  if (landing.to === undefined) {
    if (landing.reason === undefined) return { ...from, notice: undefined };
    // Earlier pages are as many as before the notice: it divides its own page only.
    const page = show(flow, from, facts).screenPage;
    return { ...from, page, notice: { text: landing.reason, page, ...told } };
  }
  const there = enter(flow, outcome === undefined ? from : changedBy(flow, from, outcome), landing.to);
  return landing.reason === undefined ? there : { ...there, notice: { text: landing.reason, page: 0, ...told } };
}

function changedBy(flow: Flow, from: Position, outcome: EffectOutcome): Position {
  const { language = from.language } = outcome;
  return {
    ...from,
    entries: { ...from.entries, ...outcome.facts },
    ...(outcome.lists && { lists: { ...from.lists, ...outcome.lists } }),
    account: outcome.account ?? from.account,
    language: Object.hasOwn(flow.texts, language) ? language : from.language,
  };
}

/** What is still needed of what is known by name; undefined if that is nothing. */
export function kept<Value = string>(keeps: readonly string[] = [], known: Readonly<Record<string, Value>> = {}) {
  const entries = Object.entries(known).filter(([name]) => keeps.includes(name));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
