import type { Dialogue, Expected, WrittenExpectation } from './dialogue.js';

/**
 * Parses a dialogue: a title after `# `, messages after `> `, and below each the expectations of its answer. Other lines that begin
 * with `#` are comments.
 * @throws {Error} with the line and the valid forms.
 */
export function readDialogue(text: string): Dialogue {
  let title = '';
  const turns: { line: number; message: string; expectations: WrittenExpectation[] }[] = [];
  for (const [index, whole] of text.split('\n').entries()) {
    const [line, words] = [index + 1, whole.trim()];
    if (words.startsWith('#')) title ||= words.replace(/^#+\s*/, '');
    else if (words.startsWith('>')) turns.push({ line, message: messageIn(words, line), expectations: [] });
    else if (words !== '') {
      const turn = turns.at(-1);
      if (turn === undefined) throw new Error(`line ${line}: an expectation must follow a message (> …)`);
      turn.expectations.push({ line, words, expected: expectedIn(words, line) });
    }
  }
  if (turns.length === 0) throw new Error('there is no message (> …)');
  return { title, turns };
}

function messageIn(words: string, line: number): string {
  const message = words.slice(1).trim();
  if (message === '') throw new Error(`line ${line}: the message is empty`);
  return message;
}

const forms =
  'says "words", says /pattern/, never says "words", calls TOOL name="value", calls nothing, never calls TOOL, within 5 seconds, within 900 tokens';

function expectedIn(words: string, line: number): Expected {
  const [, kind, quoted] = /^((?:never )?says) (.+)$/.exec(words) ?? [];
  if (kind !== undefined && quoted !== undefined) {
    return { kind: kind === 'says' ? 'says' : 'never says', pattern: patternOf(quoted, line) };
  }
  const [, most, unit] = /^within (\d+(?:\.\d+)?) (seconds?|tokens?)$/.exec(words) ?? [];
  if (most !== undefined) {
    return { kind: 'within', most: Number(most), unit: unit?.startsWith('token') === true ? 'tokens' : 'seconds' };
  }
  if (words === 'calls nothing') return { kind: 'calls nothing' };
  const [, never] = /^never calls (\S+)$/.exec(words) ?? [];
  if (never !== undefined) return { kind: 'never calls', tool: never };
  const [, tool, args = ''] = /^calls (\S+)((?: \w+=(?:"[^"]*"|\S+))*)$/.exec(words) ?? [];
  if (tool !== undefined) return { kind: 'calls', tool, args: argsIn(args) };
  throw new Error(`line ${line}: "${words}" is none of: ${forms}`);
}

/** Quoted text is matched literally, case-insensitively; a pattern between slashes is a regular expression. */
function patternOf(quoted: string, line: number): RegExp {
  const words = /^"(.+)"$/.exec(quoted)?.[1];
  if (words !== undefined) return new RegExp(words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'iu');
  const [, pattern, flags] = /^\/(.+)\/([imsu]*)$/.exec(quoted) ?? [];
  if (pattern === undefined) throw new Error(`line ${line}: ${quoted} stands neither in quotes nor between slashes`);
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    throw new Error(`line ${line}: ${error instanceof Error ? error.message : 'no regular expression'}`, {
      cause: error,
    });
  }
}

function argsIn(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)];
  return Object.fromEntries(pairs.map(([, name = '', quoted, bare]) => [name, quoted ?? bare ?? '']));
}
