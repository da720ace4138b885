import type { Expected } from './dialogue.js';
import type { Answered } from './oracle-client.js';

/** Explains why an answer does not meet an expectation; undefined if it does. Pure. */
export function judge(expected: Expected, answer: Answered): string | undefined {
  const { text, calls } = answer;
  switch (expected.kind) {
    case 'says':
      return expected.pattern.test(text) ? undefined : `the answer was: ${text === '' ? 'nothing' : text}`;
    case 'never says':
      return expected.pattern.test(text) ? `the answer was: ${text}` : undefined;
    case 'calls nothing':
      return calls.length === 0 ? undefined : `it called ${describeCalls(calls)}`;
    case 'never calls':
      return calls.some(({ name }) => name === expected.tool) ? `it called ${describeCalls(calls)}` : undefined;
    case 'calls': {
      const fits = calls.some(({ name, args }) => name === expected.tool && hasArgs(args, expected.args));
      return fits ? undefined : `it called ${calls.length === 0 ? 'nothing' : describeCalls(calls)}`;
    }
    case 'within':
      return overdrawn(expected, answer);
  }
}

function overdrawn({ most, unit }: Extract<Expected, { kind: 'within' }>, answer: Answered): string | undefined {
  const took = answer[unit];
  if (took === undefined) return 'this oracle does not report token usage';
  return took <= most ? undefined : `it took ${Number(took.toFixed(1))} ${unit}`;
}

function describeCalls(calls: Answered['calls']): string {
  return calls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`).join(', ');
}

function hasArgs(args: Readonly<Record<string, unknown>>, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    const actual = args[name];
    return (typeof actual === 'string' ? actual : JSON.stringify(actual)) === value;
  });
}
