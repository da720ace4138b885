/** What somebody says, without the one character that no database column of text can hold: other clients know nothing of that. */
export function storableWords(text: string): string {
  return text.replaceAll('\u0000', '');
}
