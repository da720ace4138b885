/** A foreign text as a part of one line: without line breaks and other controls, which could pass for entries of a menu. */
export function printable(text: string, maxChars: number): string {
  const characters = [
    ...text
      .replaceAll(/[\p{Control}\p{Format}\p{Zl}\p{Zp}]+/gu, ' ')
      .replaceAll(/ {2,}/g, ' ')
      .trim(),
  ];
  if (characters.length <= maxChars) return characters.join('');
  const mark = '...'.slice(0, maxChars);
  return `${characters
    .slice(0, maxChars - mark.length)
    .join('')
    .trimEnd()}${mark}`;
}
