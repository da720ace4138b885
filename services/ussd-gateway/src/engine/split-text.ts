import { engineKeys } from './flow.js';

/** One input taken from accumulated text, and how long the text was once it had been typed. */
export interface TypedInput {
  readonly input: string;
  /** UTF-16 units of the text up to and with this input. */
  readonly end: number;
}

const separator = '*';

/**
 * The inputs of a whole accumulated text, in order. The separator may itself be the last input: `1**` is `1`, then `*`,
 * and a lone `*` is that input. Elsewhere two separators in a row are an empty input, since nothing follows an exit.
 */
export function splitText(text: string): TypedInput[] {
  if (text === '') return [];
  const exits = text === separator || text.endsWith(separator + separator);
  const head = exits ? text.slice(0, text === separator ? 0 : -2) : text;
  const inputs: TypedInput[] = [];
  if (head !== '' || !exits) {
    let end = -1;
    for (const input of head.split(separator)) {
      end += 1 + input.length;
      inputs.push({ input, end });
    }
  }
  if (exits) inputs.push({ input: engineKeys.exit, end: text.length });
  return inputs;
}
