/** Type of a file, recognised by its bytes: declared names and types are untrusted. */
export type RecognisedFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' }
  | { readonly kind: 'pdf' }
  | { readonly kind: 'audio'; readonly mediaType: AudioType };

export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

/** Formats in which browsers record voice, and formats that clients of other protocols send. */
export const audioTypes = ['audio/webm', 'audio/ogg', 'audio/mp4', 'audio/wav', 'audio/mpeg'] as const;
export type AudioType = (typeof audioTypes)[number];

const isAt = (bytes: Buffer, at: number, signature: string) =>
  bytes.subarray(at, at + signature.length).equals(Buffer.from(signature, 'latin1'));

const declaredKinds: readonly (readonly [RegExp, RecognisedFile['kind']])[] = [
  [/^image\//i, 'image'],
  [/^application\/pdf$/i, 'pdf'],
  [/^(audio\/|video\/(webm|ogg|mp4)$)/i, 'audio'],
  [/^text\//i, 'text'],
];

/** The kind of a media type; undefined for an unsupported one. Pure. */
export function kindOfType(mediaType: string | undefined): RecognisedFile['kind'] | undefined {
  const type = mediaType?.split(';')[0]?.trim() ?? '';
  return declaredKinds.find(([pattern]) => pattern.test(type))?.[1];
}

/** The media type by which a file is stored and sent. Pure. */
export function mediaTypeOf(file: RecognisedFile): string {
  if ('mediaType' in file) return file.mediaType;
  return file.kind === 'pdf' ? 'application/pdf' : 'text/plain';
}

/** Undefined for an unsupported type. Text is UTF-8 without control characters that do not occur in text. Pure. */
export function recogniseFile(bytes: Buffer): RecognisedFile | undefined {
  if (isAt(bytes, 0, '\x89PNG\r\n\x1a\n')) return { kind: 'image', mediaType: 'image/png' };
  if (isAt(bytes, 0, '\xff\xd8\xff')) return { kind: 'image', mediaType: 'image/jpeg' };
  if (isAt(bytes, 0, 'GIF87a') || isAt(bytes, 0, 'GIF89a')) return { kind: 'image', mediaType: 'image/gif' };
  if (isAt(bytes, 0, 'RIFF') && isAt(bytes, 8, 'WEBP')) return { kind: 'image', mediaType: 'image/webp' };
  if (isAt(bytes, 0, '%PDF-')) return { kind: 'pdf' };
  if (isAt(bytes, 0, 'RIFF') && isAt(bytes, 8, 'WAVE')) return { kind: 'audio', mediaType: 'audio/wav' };
  if (isMp3(bytes)) return { kind: 'audio', mediaType: 'audio/mpeg' };
  const mediaType = audioIn(bytes);
  if (mediaType !== undefined) return { kind: 'audio', mediaType };
  const text = textIn(bytes);
  return text === undefined ? undefined : { kind: 'text', text };
}

/**
 * MP3 with an ID3v2 tag, or by its first frame: the sync bits, layer III, a bit rate and a sampling rate. Sources: id3.org's ID3v2.4
 * structure, ISO/IEC 11172-3.
 */
function isMp3(bytes: Buffer): boolean {
  const [first = 0, second = 0, third = 0, major = 0, minor = 0] = bytes;
  if (isAt(bytes, 0, 'ID3')) return major >= 2 && major <= 4 && minor === 0;
  const isLayer3 = first === 0xff && (second & 0xe6) === 0xe2;
  return isLayer3 && third >> 4 !== 0 && third >> 4 !== 15 && (third & 0x0c) !== 0x0c;
}

/** Tracks are described before the sound; MP4 may have them at its end. */
const headBytes = 4_096;

/**
 * Audio without video. Sources: Matroska's codec ids (`A_…`, `V_…`) in RFC 9559 and 9560, the first packets of Ogg in RFC 7845 and
 * the Vorbis I specification, the handlers `soun` and `vide` of ISO/IEC 14496-12.
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
    // Coloured logs contain the escape character.
    return /(?!\s)\p{Cc}/u.test(text.replaceAll('\u001b', '')) ? undefined : text;
  } catch {
    return undefined;
  }
}
