'use strict';
// Loaded before all other code (`node -r`), on any Node: old syntax only, so that a Node too old to parse the rest still
// prints the required version instead of a syntax error.

var MINIMUM = [20, 19, 0];

/**
 * @param {string} version - a Node version such as `20.19.0` or `v18.3.1`
 * @returns {string | undefined} what is needed and found, or undefined when this Node is new enough
 */
function nodeProblem(version) {
  var found = String(version).replace(/^v/, '').split('.');
  var index;
  var difference;
  for (index = 0; index < MINIMUM.length; index += 1) {
    difference = parseInt(found[index] || '0', 10) - (MINIMUM[index] || 0);
    if (difference > 0) return undefined;
    if (difference < 0) {
      return (
        'Mlango needs Node ' +
        MINIMUM.join('.') +
        ' or newer (24 is recommended). This is Node ' +
        found.join('.') +
        '.'
      );
    }
  }
  return undefined;
}

var problem = nodeProblem(process.versions.node);
if (problem) {
  console.error(problem + '\nIt runs from ' + process.execPath + '. Newer releases: https://nodejs.org/en/download');
  process.exit(1);
}

module.exports = { nodeProblem: nodeProblem };
