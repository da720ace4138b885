const ROW = /^\| \d+\.\d+\.x \| yes \|$/m;

/**
 * @param {string} text - of SECURITY.md
 * @param {string} version - that is released
 * @returns {string} the same with that version's line of releases as the one that is supported
 */
export function withSupported(text, version) {
  if (!ROW.test(text)) throw new Error('SECURITY.md names no supported version.');
  return text.replace(ROW, `| ${version.replace(/\.\d+$/, '.x')} | yes |`);
}
