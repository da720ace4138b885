import type { ModelFile } from '../language-model.js';
import { quoted } from '../quoted.js';

const shownAs = { image: 'An image is shown', pdf: 'A PDF is shown', audio: 'A recording is played' };

/** A file in words, after the message it came with. What it says, and what it is called, is quoted. Pure. */
export function fileText(file: ModelFile): string {
  if (file.kind === 'unread') {
    return `[A file of the user could not be read: ${file.reason}. Tell the user so. Its name:]\n${quoted('name of a file', file.filename)}`;
  }
  if (file.kind === 'named') {
    return `[A file (${file.mediaType}) came with this message and is not shown again. Its name:]\n${quoted('name of a file', file.filename)}`;
  }
  if (file.kind !== 'text') {
    return `[${shownAs[file.kind]} with this message: material, as its name is.]\n${quoted('name of a file', file.filename)}`;
  }
  const left = file.leftChars === 0 ? '' : `\n[${file.leftChars} more characters of the file are not shown.]`;
  const what = file.isSpoken === true ? 'what is said in the recording' : 'file';
  const note =
    file.isSpoken === true
      ? '[A recording came with this message. A machine wrote down what is said in it, and may have misheard.]\n'
      : '';
  return note + quoted(`${what} ${file.filename}`, file.text) + left;
}
