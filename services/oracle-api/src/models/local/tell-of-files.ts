import type { ModelFile } from '../language-model.js';

const shownChars = 200;

/** What the built-in model has to say of files: how they begin, or why they could not be read. Pure. */
export function tellOfFiles(files: readonly ModelFile[]): string {
  return files.map(tellOf).join('\n');
}

function tellOf(file: ModelFile): string {
  if (file.kind === 'unread') return `I could not read ${file.filename}: ${file.reason}.`;
  if (file.kind === 'named') return `${file.filename} came with an earlier message.`;
  if (file.kind === 'image') return `${file.filename} is an image, and I cannot look at images.`;
  if (file.kind !== 'text') return `${file.filename} is a file of a kind that I cannot read.`;
  const text = file.text.trim().replace(/\s+/g, ' ');
  const shown = text.length <= shownChars ? text : `${text.slice(0, shownChars)}…`;
  if (file.isSpoken === true) return `In ${file.filename} I hear: ${shown}`;
  return `${file.filename} has ${file.text.length + file.leftChars} characters. It says: ${shown}`;
}
