import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Answer, bytesOf, type WholeAnswer } from '../answers/answer.js';

/** Shorter bodies are not compressed. */
const MIN_BYTES = 1024;

export type Encoding = 'br' | 'gzip';

const compressors: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  // A fast quality: the default takes many times as long for little gain.
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: promisify<Buffer, Buffer>(gzip),
};

/** The supported encoding that the caller prefers. Source: RFC 9110, Accept-Encoding. */
export function chooseEncoding(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined;
  const weights = new Map<string, number>();
  for (const item of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const best: Encoding = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip';
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined;
}

/** A body in an encoding. */
export function encode(body: string | Buffer, encoding: Encoding): Promise<Buffer> {
  return compressors[encoding](bytesOf(body));
}

/** Whether a body is large enough to compress. */
export function isWorthIt(body: string | Buffer): boolean {
  return body.length >= MIN_BYTES;
}

/** Compressed forms of cached answers, collected with them. */
const known = new WeakMap<Answer, Map<Encoding, Buffer>>();

/** The body of an answer in an encoding. */
export async function encodedBody(answer: Answer, body: WholeAnswer['body'], encoding: Encoding): Promise<Buffer> {
  if (answer.isCached !== true) return encode(body, encoding);
  const forms = known.get(answer) ?? new Map<Encoding, Buffer>();
  known.set(answer, forms);
  let bytes = forms.get(encoding);
  if (bytes === undefined) {
    bytes = await encode(body, encoding);
    forms.set(encoding, bytes);
  }
  return bytes;
}
