/**
 * A text in a cell of a table.
 * @param {string} text
 * @returns {string}
 */
export function cell(text) {
  return text.trim().replace(/\s+/g, ' ').replaceAll('|', '\\|');
}

/** @param {string} text - of TypeScript */
export function code(text) {
  return `\`\`\`ts\n${text}\n\`\`\``;
}

/**
 * @param {readonly string[]} parts - empty ones are left out
 * @returns {string}
 */
export function page(parts) {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
