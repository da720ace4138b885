import type { DescMessage } from '@bufbuild/protobuf';
import { type FieldMask, readFieldMask } from '../src/fields/field-mask.js';

/** The mask of a text that is one. */
export function maskOf(text: string, message: DescMessage): FieldMask {
  const read = readFieldMask(text, message);
  if ('problem' in read) throw new Error(read.problem);
  return read.mask;
}
