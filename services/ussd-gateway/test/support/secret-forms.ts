/** Number of bytes before a secret in the encoded data, modulo the block size of base64. */
const offsets = [0, 1, 2];

/** The part of a text's base64 that depends only on the text, with this many bytes before it. */
function base64Core(secret: string, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]).toString('base64');
  const bits = 8 * (offset + secret.length);
  return encoded.slice(Math.ceil((8 * offset) / 6), Math.floor(bits / 6));
}

/** Whether a text contains a secret: plain, in hex, or in base64, alone or as a part of a longer text. */
export function holdsSecret(secret: string): (text: string) => boolean {
  const encoded = [Buffer.from(secret).toString('hex'), ...offsets.map((offset) => base64Core(secret, offset))];
  const urlSafe = encoded.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  const forms = [...new Set([...encoded, ...urlSafe])];
  // A short number is also a part of longer ones, of times and of random texts: it counts only if it is separate.
  const alone = new RegExp(`(?<![\\w.+/-])${secret}(?![\\w+/-]|\\.[0-9])`);
  const isPlain = (text: string) => (/^[0-9]+$/.test(secret) ? alone.test(text) : text.includes(secret));
  return (text) => isPlain(text) || forms.some((form) => text.includes(form));
}
