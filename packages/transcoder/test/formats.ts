import type { FormatOf } from '../src/field-format.js';

/** A format of the fields that the fixture marks with a scalar of its own: a text is written between angles. */
export const formatOf: FormatOf = ({ name }) =>
  /^shares?$/.test(name) ? { printText: (text) => (text === '' ? '' : `<${text}>`) } : undefined;
