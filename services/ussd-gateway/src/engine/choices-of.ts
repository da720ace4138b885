import type { Choices, Line } from './flow.js';

/** Choices under which each variant of each line is printed once: a line depends on one choice alone. */
export function choicesOf(lines: readonly Line[]): Choices[] {
  const chosen = lines.filter((line) => typeof line !== 'string');
  const most = Math.max(1, ...chosen.map((line) => Object.keys(line.texts).length));
  return Array.from({ length: most }, (_, index) =>
    Object.fromEntries(
      chosen.map((line) => {
        const values = Object.keys(line.texts);
        return [line.chosenBy, values[index % values.length] ?? ''];
      }),
    ),
  );
}
