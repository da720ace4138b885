/** What browsers record a voice in. */
const sounds = new Set(['audio/webm', 'audio/ogg', 'audio/mp4', 'audio/x-m4a']);
const images = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml']);

/** Whether an oracle may read a file: text, an image, a PDF or a voice recording. What a browser cannot tell is for the oracle to say. Pure. */
export function isReadable({ type }: Pick<File, 'type'>): boolean {
  if (type.startsWith('image/')) return images.has(type);
  if (type.startsWith('audio/')) return sounds.has(type);
  return !/^(video|font|application\/(zip|gzip|x-7z|vnd\.(openxmlformats|ms-|oasis)|msword))/.test(type);
}
