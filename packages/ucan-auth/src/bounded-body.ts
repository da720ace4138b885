/**
 * The text of a reply's body.
 * Rejects once it is longer than `limitBytes`; what is left is then not read.
 */
export async function readBoundedText(body: AsyncIterable<unknown>, limitBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    length += chunk.length;
    if (length > limitBytes) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
