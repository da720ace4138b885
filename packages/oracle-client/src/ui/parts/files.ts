/** Bytes as people read them: 12 kB, 3.4 MB. Pure. */
export function fileSize(bytes: number, language: string): string {
  const [unit, of] = bytes < 1_000_000 ? (['kilobyte', 1_000] as const) : (['megabyte', 1_000_000] as const);
  const maximumFractionDigits = of === 1_000 ? 0 : 1;
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits }).format(
    Math.max(bytes, 1_000) / of,
  );
}

const prefix = 'voice-note-';

/** The file name of a voice note, by time, so that names are unique in a conversation. Pure. */
export function voiceFileName(at: Date, type: string): string {
  return `${prefix}${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}.${type.replace(/^audio\//, '')}`;
}

/** A file's name as people read it. Pure. */
export function shownName(filename: string, voiceNote: string): string {
  return filename.startsWith(prefix) ? voiceNote : filename;
}

/** Whether a file is sound, by its type. Pure. */
export function isSound(type: unknown): boolean {
  return typeof type === 'string' && type.startsWith('audio/');
}

/** The recording formats of browsers. */
const sounds = new Set(['audio/webm', 'audio/ogg', 'audio/mp4', 'audio/x-m4a']);
const images = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml']);

/** Whether an oracle may accept a file: text, image, PDF or voice recording. Files without a media type are left to the oracle. Pure. */
export function isReadable({ type }: Pick<File, 'type'>): boolean {
  if (type.startsWith('image/')) return images.has(type);
  if (type.startsWith('audio/')) return sounds.has(type);
  return !/^(video|font|application\/(zip|gzip|x-7z|vnd\.(openxmlformats|ms-|oasis)|msword))/.test(type);
}
