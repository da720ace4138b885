const images = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml']);

/** Whether an oracle may read a file: text, an image or a PDF. What a browser cannot tell is for the oracle to say. Pure. */
export function isReadable({ type }: Pick<File, 'type'>): boolean {
  if (type.startsWith('image/')) return images.has(type);
  return !/^(audio|video|font|application\/(zip|gzip|x-7z|vnd\.(openxmlformats|ms-|oasis)|msword))/.test(type);
}
