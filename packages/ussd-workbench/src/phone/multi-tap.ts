/** The letters of the keys; a quick repeated press selects the next letter. */
export const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;
export type Key = (typeof keys)[number];

export const letters: Readonly<Record<Key, string>> = {
  '1': ".,'-@1",
  '2': 'abc2',
  '3': 'def3',
  '4': 'ghi4',
  '5': 'jkl5',
  '6': 'mno6',
  '7': 'pqrs7',
  '8': 'tuv8',
  '9': 'wxyz9',
  '*': '*',
  '0': ' 0',
  '#': '#',
};

export interface Tap {
  readonly key: Key;
  readonly atMs: number;
}

const MOMENT_MS = 900;

/** The text after a press in letters: a new letter, or the next one in place of the last. Words begin with a capital. */
export function tapLetter(text: string, tap: Tap, last: Tap | undefined): string {
  const choices = letters[tap.key];
  const goesOn = last?.key === tap.key && tap.atMs - last.atMs <= MOMENT_MS && choices.length > 1;
  const before = goesOn ? text.slice(0, -1) : text;
  const shown = text.slice(-1).toLowerCase();
  const next = goesOn ? choices[(choices.indexOf(shown) + 1) % choices.length] : choices[0];
  const letter = next ?? '';
  return before + (before === '' || before.endsWith(' ') ? letter.toUpperCase() : letter);
}
