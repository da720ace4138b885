import type { FormatOf } from '../src/fields/field-format.js';

/** A format of the fields that the fixture marks with a special scalar: a text is written between angle brackets. */
export const formatOf: FormatOf = ({ name }) =>
  /^shares?$/.test(name) ? { printText: (text) => (text === '' ? '' : `<${text}>`) } : undefined;
