/** What is wrong with the braces of a text that are no `{fact}`, such as `{{x}}`, `{ x }` or `{x`; undefined where all are. */
export function strayBrace(text: string): string | undefined {
  const stray = text.match(/\{+[^{}]{0,40}\}*|\}+/g)?.find((part) => !/^\{\w+\}$/.test(part));
  if (stray === undefined) return undefined;
  return `has a brace that is part of no fact ("${stray}"): write {name}, with letters, digits and _ only`;
}

/** The facts that a text names. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
