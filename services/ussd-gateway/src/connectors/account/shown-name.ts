const maxShownChars = 40;

/** A name as a line that greets: a long one is cut, so that the menu below it stays on the first pages. */
export function shownName(name: string): string {
  const characters = [...name];
  return characters.length <= maxShownChars
    ? name
    : `${characters
        .slice(0, maxShownChars - 3)
        .join('')
        .trimEnd()}...`;
}
