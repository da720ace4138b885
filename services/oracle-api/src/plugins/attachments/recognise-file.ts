/** What a file is, by its bytes: names and types that are given with it may say anything. */
export type RecognisedFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' }
  | { readonly kind: 'pdf' };

const isAt = (bytes: Buffer, at: number, signature: string) =>
  bytes.subarray(at, at + signature.length).equals(Buffer.from(signature, 'latin1'));

/** Undefined for what is none of these. Text is UTF-8 without characters that no text has. Pure. */
export function recogniseFile(bytes: Buffer): RecognisedFile | undefined {
  if (isAt(bytes, 0, '\x89PNG\r\n\x1a\n')) return { kind: 'image', mediaType: 'image/png' };
  if (isAt(bytes, 0, '\xff\xd8\xff')) return { kind: 'image', mediaType: 'image/jpeg' };
  if (isAt(bytes, 0, 'GIF87a') || isAt(bytes, 0, 'GIF89a')) return { kind: 'image', mediaType: 'image/gif' };
  if (isAt(bytes, 0, 'RIFF') && isAt(bytes, 8, 'WEBP')) return { kind: 'image', mediaType: 'image/webp' };
  if (isAt(bytes, 0, '%PDF-')) return { kind: 'pdf' };
  const text = textIn(bytes);
  return text === undefined ? undefined : { kind: 'text', text };
}

function textIn(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // Logs have colours, which begin with the escape character.
    return /(?!\s)\p{Cc}/u.test(text.replaceAll('\u001b', '')) ? undefined : text;
  } catch {
    return undefined;
  }
}
