/** What follows "say", "repeat" or "echo" at the start of a message, of any length; else undefined. */
export function textToRepeat(message: string): string | undefined {
  return /^(?:please )?(?:say|repeat|echo)(?: after me)?[:,]?\s+(\S[\s\S]*)$/i.exec(message)?.[1];
}
