/** What a call gave, of its JSON text; the text itself where that is none. */
export function parsedOutput(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return output;
  }
}
