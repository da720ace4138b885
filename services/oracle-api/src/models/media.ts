import type { ProviderName } from './model-endpoints.js';

/** Files that a model may receive unchanged; all others reach it as text. */
export type MediaKind = 'image' | 'pdf' | 'audio';

/** Which of them a model accepts. */
export interface AcceptedMedia {
  readonly seesImages?: boolean | undefined;
  readonly readsPdfs?: boolean | undefined;
  readonly hearsAudio?: boolean | undefined;
}

/** Whether a model accepts files of a kind unchanged. */
export function accepts(
  { seesImages, readsPdfs, hearsAudio }: AcceptedMedia,
  { kind, mediaType }: { readonly kind: MediaKind; readonly mediaType: string },
): boolean {
  if (kind === 'image') return seesImages === true;
  if (kind === 'pdf') return readsPdfs === true;
  // The formats that providers share.
  return hearsAudio === true && (mediaType === 'audio/wav' || mediaType === 'audio/mpeg');
}

const imagesAndPdfs: readonly MediaKind[] = ['image', 'pdf'];
const allMedia: readonly MediaKind[] = [...imagesAndPdfs, 'audio'];

/** Files that the package of each provider sends unchanged. It fails for the others, or leaves them out. */
export const sentMedia: Readonly<Record<ProviderName, readonly MediaKind[]>> = {
  openai: imagesAndPdfs,
  anthropic: imagesAndPdfs,
  google: allMedia,
  mistral: imagesAndPdfs,
  deepseek: ['image'],
  openrouter: allMedia,
  azure: imagesAndPdfs,
  bedrock: imagesAndPdfs,
  'openai-compatible': allMedia,
};
