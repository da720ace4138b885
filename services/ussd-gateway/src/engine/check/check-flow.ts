import { isByNetwork, unknownNetwork } from '../caller-facts.js';
import { longestFacts, printedTexts } from '../facts.js';
import {
  type EntryScreen,
  engineKeys,
  engineTexts,
  type Facts,
  type Flow,
  type Line,
  type MenuScreen,
  type Screen,
} from '../flow.js';
import { landingsOf, listsOf, optionsOf, withoutWayOut } from '../screen-options.js';
import { placeholdersIn, sentTexts, strayBrace } from '../texts.js';
import { checkFacts } from './check-facts.js';
import { checkFit } from './check-fit.js';
import { checkLists } from './check-lists.js';
import { checkMessages, checkMessageTexts } from './check-messages.js';
import { checkEffects, checkOwnMenus, checkSecretFacts } from './check-operations.js';
import type { Problem } from './problem.js';

/**
 * Finds problems that would break a flow, before the first caller dials: unknown targets, missing texts, clashing
 * keys, screens without a way in or out, and then screens that cannot be rendered.
 *
 * @returns an empty list for a sound flow.
 */
export function findProblems(flow: Flow, facts: Facts): Problem[] {
  const lists = checkLists(flow);
  const problems = [
    ...checkStart(flow),
    ...Object.entries(flow.screens).flatMap(([state, screen]) =>
      checkScreen(flow, state, screen).map((description) => ({ at: ['screens', state], description })),
    ),
    ...checkLoops(flow),
    ...checkEffects(flow),
    ...lists,
    ...checkTexts(flow, facts),
    ...checkMessageTexts(flow),
    // An unknown or invalid list makes facts unknown on all screens behind it.
    ...(lists.length > 0 ? [] : checkFacts(flow, facts)),
    ...checkOwnMenus(flow),
    ...checkSecretFacts(flow),
  ];
  return problems.length > 0 ? problems : [...checkFit(flow, facts), ...checkMessages(flow, facts)];
}

function checkStart(flow: Flow): Problem[] {
  const problems: Problem[] = [];
  const add = (part: string, description: string) => problems.push({ at: [part], description });
  if (flow.screens[flow.start]?.kind !== 'menu') add('start', `"${flow.start}" is not a menu of this flow`);
  if (flow.screens[flow.exit]?.kind !== 'closing') add('exit', `"${flow.exit}" is not a closing screen of this flow`);
  if (flow.texts[flow.defaultLanguage] === undefined) add('defaultLanguage', `no texts in "${flow.defaultLanguage}"`);
  return problems;
}

function checkScreen(flow: Flow, state: string, screen: Screen): string[] {
  const problems = checkLines(flow, screen.lines);
  if (screen.kind !== 'closing') problems.push(...checkKeys(flow, state, screen));
  for (const landing of landingsOf(screen)) {
    if (landing.to === undefined || flow.screens[landing.to] !== undefined) continue;
    const way = 'key' in landing ? `key ${String(landing.key)} leads` : 'leads';
    problems.push(`${way} to "${landing.to}", which is no screen`);
  }
  return problems;
}

function checkLines(flow: Flow, lines: readonly Line[]): string[] {
  return lines.flatMap((line) => {
    if (typeof line === 'string') return [];
    if (isByNetwork(line)) return checkNetworks(Object.keys(line.texts));
    const values = Object.values(flow.screens)
      .flatMap(optionsOf)
      .flatMap((option) => ('choose' in option && option.choose?.name === line.chosenBy ? [option.choose.value] : []));
    for (const { fields } of listsOf(flow).values()) {
      if (Object.hasOwn(fields, line.chosenBy)) values.push(...(fields[line.chosenBy]?.words ?? []));
    }
    if (values.length === 0) return [`no key chooses "${line.chosenBy}"`];
    return values
      .filter((value) => !Object.hasOwn(line.texts, value))
      .map((value) => `no text for the choice "${value}"`);
  });
}

function checkNetworks(values: readonly string[]): string[] {
  const other = values.includes(unknownNetwork)
    ? []
    : [`no text for the network "${unknownNetwork}", which is used for every other`];
  const upper = values.filter((value) => value !== value.toLowerCase());
  return [...other, ...upper.map((value) => `the network "${value}" must be written in small letters`)];
}

function checkKeys(flow: Flow, state: string, screen: MenuScreen | EntryScreen): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  const reserved: string[] = [engineKeys.more, engineKeys.previous];
  for (const option of optionsOf(screen)) {
    if (seen.has(option.key)) problems.push(`key ${option.key} is there twice`);
    seen.add(option.key);
    if (reserved.includes(option.key)) problems.push(`key ${option.key} turns pages`);
    if (!/^(?:\*|[0-9]{1,2})$/.test(option.key)) problems.push(`key "${option.key}" cannot be typed as one input`);
    const leaves = 'to' in option ? option.to : state;
    if (option.key === engineKeys.exit && leaves !== flow.exit) problems.push(`key * always leads to the exit`);
  }
  const exits = landingsOf(screen).filter(({ to }) => to !== undefined && to !== state && to !== flow.exit);
  if (exits.length === 0) problems.push(`a dead end, nothing but the exit leads on`);
  return problems;
}

/** Finds screens that lead only to each other. Dead ends are reported separately. */
function checkLoops(flow: Flow): Problem[] {
  return withoutWayOut(flow).map(({ state, ahead }) => ({
    at: ['screens', state],
    description: `a dead end, it leads only to ${ahead.join(', ')}; add a key that leads to the start or to a closing screen`,
  }));
}

function checkTexts(flow: Flow, facts: Facts): Problem[] {
  const needed = new Set<string>([
    ...Object.values(engineTexts),
    ...(flow.interrupted ? [flow.interrupted] : []),
    ...Object.values(flow.screens).flatMap(textsOf),
  ]);
  const sent = new Set(sentTexts(flow));
  const known = new Set([facts, ...longestFacts(flow)].flatMap((some) => Object.keys(some)));
  return Object.entries(flow.texts).flatMap(([language, texts]) => {
    const problem = (key: string, description: string): Problem => ({ at: ['texts', language, key], description });
    const braces = Object.entries(texts).flatMap(([key, text]) => {
      const description = strayBrace(text);
      return description === undefined ? [] : [problem(key, description)];
    });
    const unknownFacts = Object.entries(texts).flatMap(([key, text]) =>
      placeholdersIn(text)
        .filter((name) => !known.has(name))
        .map((name) => problem(key, `names the unknown fact "${name}"`)),
    );
    return [
      ...[...needed].filter((key) => !Object.hasOwn(texts, key)).map((key) => problem(key, 'is missing')),
      ...Object.keys(texts)
        .filter((key) => !needed.has(key) && !sent.has(key))
        .map((key) => problem(key, 'is used nowhere')),
      ...unknownFacts,
      ...braces,
    ];
  });
}

function textsOf(screen: Screen): string[] {
  return [...printedTexts(screen), ...landingsOf(screen).flatMap(({ reason }) => reason ?? [])];
}
