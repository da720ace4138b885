import type { ModelRequest } from '../language-model.js';

/** Limits of a message that is matched, of counting, and of the listed tools. */
const limits = { messageChars: 300, count: 1_000, tools: 20 };

/** The answer to the user's last message: of the first rule that matches it, else the descriptions of its files. Pure. */
export function answer(request: ModelRequest, files: readonly string[] = []): string {
  const sent = request.messages.filter(({ role }) => role === 'user').map(({ content }) => content.trim());
  const message = sent.at(-1) ?? '';
  const repeated = textToRepeat(message);
  if (repeated !== undefined) return repeated;
  const { preferences, tools = [], now, timezone = 'UTC' } = request;
  const oracleName = preferences?.agentName ?? request.oracleName;
  const earlier = sent.slice(0, -1);
  const userName = earlier.map(nameIn).findLast((name) => name !== undefined) ?? preferences?.userName;
  const greeted = userName ? `, ${userName}` : '';
  const rules: readonly (readonly [RegExp, (captured: string) => string | undefined])[] = [
    [/\bcount (?:up )?to (\d{1,9})\b/i, (last) => count(Number(last))],
    [/\bwhat is my name\b/i, () => (userName ? `Your name is ${userName}.` : 'I do not know your name.')],
    [introduction, () => `Nice to meet you, ${nameIn(message)}. I will remember your name in this conversation.`],
    [/\bwhat can you do\b|^(?:help|menu)\b/i, () => abilities(tools.map(({ name }) => name))],
    [/\b(?:who are you|what(?:'s| is) your name)\b/i, () => `I am ${oracleName}, a program on a small built-in model.`],
    [/\bwhat time\b|\bwhat(?:'s| is) the (?:time|date)\b/i, () => describeTime(now, timezone)],
    [
      /\bwhat did i say(?: (first))?\b/i,
      (first) => `You wrote: "${(first === '' ? earlier.at(-1) : earlier[0]) ?? message}"`,
    ],
    [calculation, () => calculate(message)],
    [
      /^(?:hi|hello|hey)\b[^?]{0,40}$/i,
      () => `Hello${greeted}! I am ${oracleName}. Ask me "What can you do?" to begin.`,
    ],
  ];
  for (const [pattern, reply] of message.length <= limits.messageChars ? rules : []) {
    const match = pattern.exec(message);
    const text = match === null ? undefined : reply(match[1] ?? '');
    if (text !== undefined) return text;
  }
  if (files.length > 0) return files.join('\n');
  return `I am ${oracleName}, on a small built-in model of fixed rules, so I cannot answer that. Ask "What can you do?".`;
}

/** The text after "say", "repeat" or "echo" at the start of a message. */
export function textToRepeat(message: string): string | undefined {
  return /^(?:please )?(?:say|repeat|echo)(?: after me)?[:,]?\s+(\S[\s\S]*)$/i.exec(message)?.[1];
}

/** "my name is Asha Mwangi": one word, and those after it that begin with a capital. */
const introduction = /\b(?:[Mm]y name is|[Cc]all me)\s+(\p{L}[\p{L}’'-]*(?:\s+\p{Lu}[\p{L}’'-]*){0,2})/u;

function nameIn(message: string): string | undefined {
  return introduction.exec(message)?.[1]?.replace(/^./u, (letter) => letter.toUpperCase());
}

/** "What is 12 times 12?", "40 * 70". */
const calculation = /^(?:what is |how much is )?(-?[\d.]+) *([-+*/x]|times) *(-?[\d.]+) *[=?.]*$/i;

function calculate(message: string): string | undefined {
  const [, left = '', sign = '', right = ''] = calculation.exec(message) ?? [];
  const [one, other] = [Number(left), Number(right)];
  const value =
    ({ '+': one + other, '-': one - other, '/': one / other } as Record<string, number>)[sign] ?? one * other;
  return Number.isFinite(value) ? `${left} ${sign} ${right} = ${Number(value.toPrecision(12))}` : undefined;
}

function count(last: number): string {
  return Array.from({ length: Math.min(last, limits.count) }, (_, index) => index + 1).join(' ') || 'Nothing to count.';
}

function describeTime(now: Date, timeZone: string): string {
  const time = now.toLocaleTimeString('en-GB', { timeZone, timeStyle: 'short' });
  return `It is ${time} on ${now.toLocaleDateString('en-GB', { timeZone, dateStyle: 'full' })} (${timeZone}).`;
}

function abilities(tools: readonly string[]): string {
  const examples = ['Say good morning', 'Count to 20', 'What is 12 * 7?', 'My name is Asha', 'What time is it?'];
  if (tools.includes('set_user_preferences')) examples.push('Call me Alex', 'Call yourself Zuri');
  if (tools.includes('remember')) {
    examples.push('Remember that my goat is called Zuri', 'What do you remember about my goat?');
  }
  examples.push(...tools.slice(0, limits.tools).map((name) => `Use the tool ${name} with {}`));
  return ['I am a small built-in model with fixed rules. Try:', ...examples.map((one) => `- "${one}"`)].join('\n');
}
