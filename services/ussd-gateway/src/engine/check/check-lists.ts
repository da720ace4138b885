import { type DeclaredList, emptyList, mostListChars } from '../declarations.js';
import { longestFacts } from '../facts.js';
import { engineKeys, type Flow, type ListOptions, type Operation, type Screen } from '../flow.js';
import { listOn, listsOf, optionsOf } from '../screen-options.js';
import { placeholdersIn } from '../texts.js';
import type { Problem } from './problem.js';

/** Finds problems of lists that operations return, and of screens that offer them. */
export function checkLists(flow: Flow): Problem[] {
  const declared = Object.entries(flow.operations ?? {}).flatMap(([operation, { lists = {} }]) =>
    Object.entries(lists).map(([result, list]) => ({ operation, result, list })),
  );
  const offered = Object.entries(flow.screens).flatMap(([state, screen]) => {
    const list = listOn(screen);
    return list === undefined ? [] : [{ state, screen, list }];
  });
  return [
    ...declared.flatMap((list) =>
      checkDeclared(flow, list).map((description) => ({ at: placeOf(flow, list), description })),
    ),
    ...declared
      .filter(({ list }) => offered.every(({ list: { from } }) => from !== list.name))
      .map((list) => ({ at: placeOf(flow, list), description: 'no screen lists it: name it in from, or remove it' })),
    ...checkSize(flow),
    ...Object.entries(flow.operations ?? {}).flatMap(([name, operation]) => checkTaken(flow, name, operation)),
    ...offered.flatMap(({ state, screen, list }) => checkOffered(flow, state, screen, list)),
  ];
}

interface ReturnedList {
  readonly operation: string;
  readonly result: string;
  readonly list: DeclaredList;
}

function placeOf(flow: Flow, { operation, result, list }: ReturnedList): readonly string[] {
  const byResult = flow.operations?.[operation]?.call === undefined ? [] : [result];
  return ['operations', operation, 'gives', ...byResult, list.name];
}

function checkDeclared(flow: Flow, { operation, list }: ReturnedList): string[] {
  const { name, fields } = list;
  const problems: string[] = [];
  const declared = flow.operations?.[operation];
  if (declared?.kind !== 'query') problems.push('only a question gives a list, since an act is not repeated');
  if (declared !== undefined && !Object.hasOwn(declared.results, emptyList))
    problems.push(`gives a list, and has no result "${emptyList}"`);
  if (JSON.stringify(listsOf(flow).get(name)) !== JSON.stringify(list))
    problems.push(`"${name}" is declared twice, with other items`);
  if (longestFacts(flow).some((facts) => Object.hasOwn(facts, name)))
    problems.push(`"${name}" is a fact and a list: use another name`);
  if (Object.keys(fields).length === 0) problems.push('its items have no fields');
  return problems;
}

/** The lists are stored in the session, which is read at every hop. */
function checkSize(flow: Flow): Problem[] {
  const chars = [...listsOf(flow).values()].reduce((sum, { most, fields }) => {
    return sum + most * Object.values(fields).reduce((item, field) => item + field.chars, 0);
  }, 0);
  if (chars <= mostListChars) return [];
  const description = `all lists together have up to ${chars} characters, and a session has room for ${mostListChars}: declare fewer items or shorter fields`;
  return [{ at: ['operations'], description }];
}

function checkTaken(flow: Flow, name: string, { takes = [] }: Operation): Problem[] {
  return takes
    .filter((taken) => listsOf(flow).has(taken))
    .map((taken) => ({
      at: ['operations', name, 'sends'],
      description: `"${taken}" is a list: name the fields of the chosen item instead`,
    }));
}

function checkOffered(flow: Flow, state: string, screen: Screen, { from, label }: ListOptions): Problem[] {
  const at = ['screens', state, 'options'];
  const list = listsOf(flow).get(from);
  if (list === undefined) return [{ at: [...at, 'from'], description: `lists "${from}", which no operation gives` }];
  const problems: Problem[] = [];
  const ownMenus = [flow.start, flow.resumeOffer, flow.working];
  if (ownMenus.includes(state)) {
    problems.push({
      at,
      description: 'start, resumeOffer and working can list nothing: no operation comes before them',
    });
  }
  for (const { key } of optionsOf(screen)) {
    if (key === engineKeys.exit || !/^[1-9][0-9]?$/.test(key) || Number(key) > list.most) continue;
    problems.push({
      at,
      description: `key ${key} is there twice: the items of "${from}" have the keys 1 to ${list.most}`,
    });
  }
  const fields = Object.keys(list.fields);
  for (const [language, texts] of Object.entries(flow.texts)) {
    const text = Object.hasOwn(texts, label) ? (texts[label] ?? '') : '';
    const place = ['texts', language, label];
    if (text.includes('\n'))
      problems.push({ at: place, description: 'is the label of a list, and has more than one line' });
    if (text !== '' && !placeholdersIn(text).some((name) => fields.includes(name)))
      problems.push({ at: place, description: `names no field of "${from}", which has ${fields.join(', ')}` });
  }
  return problems;
}
