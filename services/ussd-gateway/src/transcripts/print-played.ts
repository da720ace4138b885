import type { Failed, Played } from './play-transcript.js';

/** No screen is wider than this in print; longer lines go on below. */
const columnChars = 46;

/** What became of a transcript, for somebody who reads screens and no code. */
export function printPlayed(file: string, played: Played): string {
  if (played.failed === undefined) return `✓ ${file}: ${played.title} (${played.screens} screens)`;
  const { line, typed } = played.failed;
  return [`✗ ${file}: ${played.title}`, `  line ${line}, "${typed}":`, ...linesOf(played.failed)].join('\n');
}

function linesOf({ says, expected = '', got = '' }: Failed): string[] {
  if (says !== undefined) return [`    ${says}`];
  const rows = sideBySide(expected.split('\n'), got.split('\n'));
  return [['written', '  ', 'shown'] as const, ...rows].map(([left, mark, right]) =>
    `    ${left.padEnd(columnChars)} ${mark} ${right}`.trimEnd(),
  );
}

function sideBySide(expected: readonly string[], got: readonly string[]): (readonly [string, string, string])[] {
  return Array.from({ length: Math.max(expected.length, got.length) }, (_, index) => {
    const [left, right] = [expected[index], got[index]];
    const mark = left === right ? '  ' : '≠ ';
    const [lefts, rights] = [folded(left ?? ''), folded(right ?? '')];
    return Array.from({ length: Math.max(lefts.length, rights.length) }, (__, row) => {
      return [lefts[row] ?? '', row === 0 ? mark : '  ', rights[row] ?? ''] as const;
    });
  }).flat();
}

function folded(line: string): string[] {
  const characters = [...line];
  const parts = Math.max(1, Math.ceil(characters.length / columnChars));
  return Array.from({ length: parts }, (_, part) =>
    characters.slice(part * columnChars, (part + 1) * columnChars).join(''),
  );
}
