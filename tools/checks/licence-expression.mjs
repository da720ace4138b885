/**
 * Whether a licence expression (SPDX: ids, AND, OR, WITH, parentheses) can be met with allowed licences alone.
 * @param {string} expression
 * @param {ReadonlySet<string>} allowed - ids
 * @returns {boolean} false also for what can't be read
 */
export function isAllowed(expression, allowed) {
  const tokens = expression.match(/\(|\)|[^\s()]+/g) ?? [];
  let at = 0;

  // AND binds closer than OR, as in the SPDX specification, annex D.
  const alternatives = () => {
    let value = requirements();
    while (tokens[at] === 'OR') {
      at += 1;
      value = requirements() || value;
    }
    return value;
  };
  const requirements = () => {
    let value = licence();
    while (tokens[at] === 'AND') {
      at += 1;
      value = licence() && value;
    }
    return value;
  };
  /** @returns {boolean} */
  const licence = () => {
    const token = tokens[at];
    at += 1;
    if (token === '(') {
      const value = alternatives();
      const closed = tokens[at] === ')';
      at += 1;
      return closed && value;
    }
    // An exception only ever adds permissions.
    if (tokens[at] === 'WITH') at += 2;
    return token !== undefined && allowed.has(token);
  };

  const value = alternatives();
  return value && at === tokens.length;
}
