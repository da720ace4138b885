import type { Answer, WholeAnswer } from '../query/answer.js';
import { type Encoding, encode } from './content-encoding.js';

/** Made once for each answer that is kept, and gone with it. */
const known = new WeakMap<Answer, Map<Encoding, Buffer>>();

/** The body of an answer in an encoding. */
export async function encodedBody(answer: Answer, body: WholeAnswer['body'], encoding: Encoding): Promise<Buffer> {
  if (answer.isKept !== true) return encode(body, encoding);
  const forms = known.get(answer) ?? new Map<Encoding, Buffer>();
  known.set(answer, forms);
  let bytes = forms.get(encoding);
  if (bytes === undefined) {
    bytes = await encode(body, encoding);
    forms.set(encoding, bytes);
  }
  return bytes;
}
