import type { DescMessage } from '@bufbuild/protobuf';
import { type FieldMask, parseFieldMask } from '../src/fields/parse-field-mask.js';

/** The mask of a text that is one. */
export function maskOf(text: string, message: DescMessage): FieldMask {
  const read = parseFieldMask(text, message);
  if ('problem' in read) throw new Error(read.problem);
  return read.mask;
}
