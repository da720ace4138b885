/**
 * What of vitest's module is looked at.
 * @typedef {object} FailingModule
 * @property {string} moduleId - the file, absolute
 * @property {string} relativeModuleId - the file, from its project
 * @property {{ name: string }} project
 * @property {() => readonly unknown[]} errors
 * @property {{ allTests: () => Iterable<{ fullName: string, result: () => { state: string } }>, allSuites: () => Iterable<{ fullName: string, errors: () => readonly unknown[] }> }} children
 */

/**
 * @typedef {object} Failure
 * @property {string} file - absolute
 * @property {string} name - for people: folder, file, and the test or suite if it got that far
 */

/**
 * Each failure that a file can be named for. An error nobody caught, which belongs to none, is not among them.
 * @param {readonly FailingModule[]} modules
 * @returns {Failure[]}
 */
export function failuresOf(modules) {
  return modules.flatMap((module) => {
    const place = `${module.project.name}/${module.relativeModuleId}`;
    const parts = [
      ...module.errors().map(() => place),
      ...[...module.children.allSuites()].flatMap((suite) => suite.errors().map(() => `${place} > ${suite.fullName}`)),
      ...[...module.children.allTests()]
        .filter((test) => !['passed', 'skipped'].includes(test.result().state))
        .map((test) => `${place} > ${test.fullName}`),
    ];
    return parts.map((name) => ({ file: module.moduleId, name }));
  });
}
