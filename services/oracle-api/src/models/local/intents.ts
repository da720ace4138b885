import type { ModelRequest } from '../language-model.js';
import { calculate } from './calculate.js';
import { nameGivenIn } from './given-name.js';

/** "It is 14:05 on Friday, 20 November 2026 (Africa/Nairobi)." Without a time zone: UTC, which is named. */
function describeNow(now: Date, timezone?: string): string {
  const zone = timezone ?? 'UTC';
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  });
  const { hour, minute, weekday, day, month, year } = Object.fromEntries(
    format.formatToParts(now).map(({ type, value }) => [type, value]),
  );
  const hint = timezone === undefined ? ' Your app did not tell me your time zone.' : '';
  return `It is ${hour}:${minute} on ${weekday}, ${day} ${month} ${year} (${zone}).${hint}`;
}

export interface IntentInput {
  /** The last message of the user: trimmed, runs of blanks as one space, at most a few hundred characters. */
  readonly text: string;
  /** Earlier messages of the user, oldest first; long messages are cut. */
  readonly earlier: readonly string[];
  readonly request: ModelRequest;
}

/** One intent of the built-in model. `reply` returns undefined if the message does not match. */
export interface Intent {
  reply(input: IntentInput): string | undefined;
}

const countLimit = 1000;

const whatWorks = [
  'I am a small built-in model: fixed rules, no network, the same answer every time. I can',
  '- greet you and keep your name in this conversation ("My name is Asha", "What is my name?");',
  '- tell the time and the date where you are ("What time is it?");',
  '- look back ("What did I say first?", "How many messages did I send?");',
  '- repeat, count and calculate ("Say good morning", "Count to 20", "What is 12 * 7?");',
  '- call a tool, in plain words or by its name ("Use the tool plot with {"x": 1}").',
  'For anything else I will say plainly that I do not know.',
];

/** Example sentences that call tools, by tool name. */
const examples: Readonly<Record<string, string>> = {
  set_user_preferences: '"Call me Alex", "Call yourself Zuri", "Be brief"',
  remember: '"Remember that my goat is called Zuri"',
  recall: '"What do you remember about my goat?"',
  forget: '"Forget my goat"',
  list_capabilities: '"List your capabilities"',
};

/** Maximum number of tools listed by name. */
const listedTools = 20;

function toolsThere({ tools = [] }: ModelRequest): string[] {
  const known = tools.flatMap(({ name }) => examples[name] ?? []);
  const others = tools.filter(({ name }) => !Object.hasOwn(examples, name)).map(({ name }) => name);
  return [
    ...(known.length === 0 ? [] : [`Try also: ${known.join(', ')}.`]),
    ...(others.length === 0 ? [] : [`Tools here: ${others.slice(0, listedTools).join(', ')}.`]),
  ];
}

const greeting: Intent = {
  reply({ text, earlier, request }) {
    if (
      !/^(hi|hello|hey|hiya|good (morning|afternoon|evening)|habari|jambo|hujambo|mambo|salamu?)\b[^?]{0,40}$/i.test(
        text,
      )
    ) {
      return undefined;
    }
    const name = latestName(earlier, request);
    return `Hello${name === undefined ? '' : `, ${name}`}! I am ${request.oracleName}. Ask me "What can you do?" to begin.`;
  },
};

const introduction: Intent = {
  reply({ text }) {
    const name = nameGivenIn(text);
    return name === undefined
      ? undefined
      : `Nice to meet you, ${name}. I will remember your name in this conversation.`;
  },
};

const recallName: Intent = {
  reply({ text, earlier, request }) {
    if (!/\b(what('s| is) my name|who am i|do you (know|remember) my name)\b/i.test(text)) return undefined;
    const name = latestName(earlier, request);
    return name === undefined ? 'You have not told me your name in this conversation.' : `Your name is ${name}.`;
  },
};

const capabilities: Intent = {
  reply: ({ text, request }) =>
    /\b(what can (you|u) do|how can you help|what do you do)\b|^(help|menu|\?)[.!?]?$/i.test(text)
      ? [...whatWorks, ...toolsThere(request)].join('\n')
      : undefined,
};

const identity: Intent = {
  reply: ({ text, request }) =>
    /\b(who are you|what are you|what('s| is) your name|are you (an? )?(ai|bot|human|real|robot))\b/i.test(text)
      ? `I am ${request.oracleName}, answering with a small built-in rule-based model. I am a program, not a person, and not a large language model.`
      : undefined,
};

const time: Intent = {
  reply: ({ text, request }) =>
    /\b(what('s| is)( the)? (time|date|day)|what time|what day|which day|current (time|date)|today's date)\b/i.test(
      text,
    )
      ? describeNow(request.now, request.timezone)
      : undefined,
};

const lookBack: Intent = {
  reply({ text, earlier }) {
    if (/\bhow many (messages|questions)\b/i.test(text)) {
      const count = earlier.length + 1;
      return `In the part of this conversation that I can see, you have sent ${count} message${count === 1 ? '' : 's'}, this one included.`;
    }
    const asked = /\bwhat did i (?:just |last )?(?:say|write|ask|tell you)(?: (first))?\b/i.exec(text);
    if (asked === null) return undefined;
    const found = asked[1] === undefined ? earlier.at(-1) : earlier[0];
    return found === undefined ? 'This is the first message I can see.' : `You wrote: "${found}"`;
  },
};

const count: Intent = {
  reply({ text }) {
    const wanted = /\bcount (?:up )?to (\d{1,9})\b/i.exec(text)?.[1];
    if (wanted === undefined) return undefined;
    const last = Math.min(Number(wanted), countLimit);
    const numbers = Array.from({ length: last }, (_, index) => String(index + 1)).join(' ');
    return Number(wanted) > countLimit
      ? `${numbers}\nI stop at ${countLimit}.`
      : numbers || 'There is nothing to count.';
  },
};

const arithmetic: Intent = {
  reply({ text }) {
    const expression =
      /^(?:what(?:'s| is)|calculate|compute|how much is)?\s*([-+*/x×÷().,\d\s]{3,200}?)\s*[=?.]*$/i.exec(text)?.[1];
    if (expression === undefined) return undefined;
    const result = calculate(expression.replace(/[x×]/gi, '*').replaceAll('÷', '/').replaceAll(',', ''));
    return result === undefined ? undefined : `${expression.trim()} = ${result}`;
  },
};

const thanks: Intent = {
  reply: ({ text }) => (/\b(thanks|thank you|asante|cheers)\b/i.test(text) ? 'You are welcome.' : undefined),
};

const farewell: Intent = {
  reply({ text, earlier, request }) {
    if (!/^(bye|goodbye|good night|see you|kwaheri)\b/i.test(text)) return undefined;
    const name = latestName(earlier, request);
    return `Goodbye${name === undefined ? '' : `, ${name}`}.`;
  },
};

/** In the order in which they are tried. */
export const intents: readonly Intent[] = [
  count,
  recallName,
  introduction,
  capabilities,
  identity,
  time,
  lookBack,
  arithmetic,
  greeting,
  thanks,
  farewell,
];

/** The name given in this conversation, else the preferred name of the user. */
function latestName(earlier: readonly string[], { preferences }: ModelRequest): string | undefined {
  return earlier.map(nameGivenIn).findLast((name) => name !== undefined) ?? preferences?.userName;
}
