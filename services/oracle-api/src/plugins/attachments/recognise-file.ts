/** What a file is, by its bytes: names and types that are given with it may say anything. */
export type RecognisedFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' }
  | { readonly kind: 'pdf' }
  | { readonly kind: 'audio'; readonly mediaType: AudioType };

/** What browsers record a voice in. */
export const audioTypes = ['audio/webm', 'audio/ogg', 'audio/mp4'] as const;
export type AudioType = (typeof audioTypes)[number];

const isAt = (bytes: Buffer, at: number, signature: string) =>
  bytes.subarray(at, at + signature.length).equals(Buffer.from(signature, 'latin1'));

/** Undefined for what is none of these. Text is UTF-8 without characters that no text has. Pure. */
export function recogniseFile(bytes: Buffer): RecognisedFile | undefined {
  if (isAt(bytes, 0, '\x89PNG\r\n\x1a\n')) return { kind: 'image', mediaType: 'image/png' };
  if (isAt(bytes, 0, '\xff\xd8\xff')) return { kind: 'image', mediaType: 'image/jpeg' };
  if (isAt(bytes, 0, 'GIF87a') || isAt(bytes, 0, 'GIF89a')) return { kind: 'image', mediaType: 'image/gif' };
  if (isAt(bytes, 0, 'RIFF') && isAt(bytes, 8, 'WEBP')) return { kind: 'image', mediaType: 'image/webp' };
  if (isAt(bytes, 0, '%PDF-')) return { kind: 'pdf' };
  const mediaType = audioIn(bytes);
  if (mediaType !== undefined) return { kind: 'audio', mediaType };
  const text = textIn(bytes);
  return text === undefined ? undefined : { kind: 'text', text };
}

/** Where tracks are described, before the sound begins; MP4 may have that at its end. */
const headBytes = 4_096;

/**
 * Sound without pictures. Sources: Matroska's codec ids (`A_…`, `V_…`) in RFC 9559 and 9560, the first packets of Ogg in RFC 7845 and the Vorbis I
 * specification, the handlers `soun` and `vide` of ISO/IEC 14496-12.
 */
function audioIn(bytes: Buffer): AudioType | undefined {
  const head = bytes.subarray(0, headBytes).toString('latin1');
  if (head.startsWith('\x1aE\xdf\xa3')) {
    return head.includes('webm') && /A_(OPUS|VORBIS)/.test(head) && !/V_(VP|AV|MPEG)/.test(head)
      ? 'audio/webm'
      : undefined;
  }
  if (head.startsWith('OggS'))
    return isAt(bytes, 28, 'OpusHead') || isAt(bytes, 28, '\x01vorbis') ? 'audio/ogg' : undefined;
  if (!isAt(bytes, 4, 'ftyp')) return undefined;
  const hasTrack = (handler: string) => bytes.includes(Buffer.from(`hdlr\0\0\0\0\0\0\0\0${handler}`, 'latin1'));
  return hasTrack('soun') && !hasTrack('vide') ? 'audio/mp4' : undefined;
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
