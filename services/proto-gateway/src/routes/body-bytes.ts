import type { Answer } from '../query/answer.js';
import { type Encoding, encode } from './content-encoding.js';

type Form = Encoding | 'identity';

/** Made once for each answer that is kept, and gone with it. */
const known = new WeakMap<Answer, Map<Form, Buffer>>();

/** Longer texts would be copied again and again on their way to the socket; shorter ones go out with their headers in one piece. */
const LONG_CHARACTERS = 16 * 1024;

/** The body of an answer as a caller without encodings gets it. */
export function plainBody(answer: Answer, body: string | Buffer): string | Buffer {
  if (Buffer.isBuffer(body) || body.length < LONG_CHARACTERS) return body;
  if (answer.isKept !== true) return Buffer.from(body);
  return formsOf(answer).get('identity') ?? remember(answer, 'identity', Buffer.from(body));
}

/** The body of an answer in an encoding. */
export async function encodedBody(answer: Answer, body: string | Buffer, encoding: Encoding): Promise<Buffer> {
  if (answer.isKept !== true) return encode(body, encoding);
  return formsOf(answer).get(encoding) ?? remember(answer, encoding, await encode(body, encoding));
}

function formsOf(answer: Answer): Map<Form, Buffer> {
  const forms = known.get(answer) ?? new Map<Form, Buffer>();
  known.set(answer, forms);
  return forms;
}

function remember(answer: Answer, form: Form, bytes: Buffer): Buffer {
  formsOf(answer).set(form, bytes);
  return bytes;
}
