import { longestFacts } from '../facts.js';
import type { Facts, Flow, Screen } from '../flow.js';
import { countSegments } from '../pages/message-limits.js';
import { effectsOf } from '../screen-options.js';
import { fillText, messageOf, messageOperations, placeholdersIn } from '../texts.js';
import type { Problem } from './problem.js';

/** Finds messages without a text in the text files. */
export function checkMessageTexts(flow: Flow): Problem[] {
  return Object.entries(flow.operations ?? {}).flatMap(([name, operation]) => {
    const key = messageOf(operation)?.text;
    const lacking = Object.entries(flow.texts).filter(([, texts]) => key !== undefined && !Object.hasOwn(texts, key));
    return lacking.map(([language]) => ({
      at: ['operations', name, 'text'],
      description: `"${key}" is missing: add it to texts/${language}.yaml, or name another text`,
    }));
  });
}

/**
 * Finds messages with more parts than their operation allows (with the longest facts), and results that send an
 * operation that is no message.
 */
export function checkMessages(flow: Flow, facts: Facts): Problem[] {
  return [
    ...Object.keys(flow.operations ?? {}).flatMap((name) => checkLength(flow, name, facts)),
    ...Object.entries(flow.screens).flatMap(([state, screen]) =>
      checkUses(flow, screen).map((description) => ({ at: ['screens', state], description })),
    ),
  ];
}

function checkLength(flow: Flow, name: string, facts: Facts): Problem[] {
  const message = messageOf(flow.operations?.[name]);
  if (message === undefined) return [];
  const at = ['operations', name, 'segments'];
  const sets = longestFacts(flow).map((longest) => ({ ...facts, ...longest }));
  return Object.entries(flow.texts).flatMap(([language, texts]) => {
    const text = texts[message.text];
    if (text === undefined) return [];
    // A fact of length 0 is never printed, such as the grant behind a one-time code.
    const unreadable = placeholdersIn(text).find((fact) => sets.every((set) => set[fact] === ''));
    if (unreadable !== undefined)
      return [{ at, description: `in ${language}, it would contain "${unreadable}", which is never shown` }];
    const most = Math.max(...sets.map((set) => countSegments(fillText(text, set))));
    if (most <= message.segments) return [];
    return [
      {
        at,
        description: `in ${language}, it takes ${most} SMS with the longest values, and segments allows ${message.segments}`,
      },
    ];
  });
}

function checkUses(flow: Flow, screen: Screen): string[] {
  return effectsOf(screen).flatMap((use) =>
    messageOperations(flow, use).flatMap(([result, operation]) => {
      if (flow.operations?.[use.effect]?.kind !== 'act')
        return [`"${use.effect}" sends a message for "${result}", and only an act can`];
      return messageOf(flow.operations[operation]) === undefined ? [`"${operation}" is no message of this flow`] : [];
    }),
  );
}
