/**
 * What of vitest's module is looked at.
 * @typedef {object} FailingModule
 * @property {string} moduleId - the file, absolute
 * @property {string} relativeModuleId - the file, from its project
 * @property {{ name: string }} project
 * @property {() => readonly unknown[]} errors
 * @property {{ allTests: () => Iterable<{ fullName: string, result: () => { state: string, errors?: readonly unknown[] | undefined } }>, allSuites: () => Iterable<{ fullName: string, errors: () => readonly unknown[] }> }} children
 */

/**
 * @typedef {object} Failure
 * @property {string} file - absolute
 * @property {string} name - for people: folder, file, and the test or suite if it got that far
 * @property {string} reason - the first lines of its error, 500 characters at most
 */

/**
 * Each failure that a file can be named for. An error nobody caught, which belongs to none, is not among them.
 * @param {readonly FailingModule[]} modules
 * @returns {Failure[]}
 */
export function failuresOf(modules) {
  return modules.flatMap((module) => {
    const place = `${module.project.name}/${module.relativeModuleId}`;
    const { moduleId: file } = module;
    return [
      ...module.errors().map((error) => ({ file, name: place, reason: reasonOf(error) })),
      ...[...module.children.allSuites()].flatMap((suite) =>
        suite.errors().map((error) => ({ file, name: `${place} > ${suite.fullName}`, reason: reasonOf(error) })),
      ),
      ...[...module.children.allTests()]
        .map((test) => ({ test, result: test.result() }))
        .filter(({ result }) => !['passed', 'skipped'].includes(result.state))
        .map(({ test, result }) => ({
          file,
          name: `${place} > ${test.fullName}`,
          reason: reasonOf(result.errors?.[0]),
        })),
    ];
  });
}

/** @param {unknown} error - as vitest hands it on: `message`, no class */
function reasonOf(error) {
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : 'no error';
  return message.split('\n').slice(0, 5).join(' ').slice(0, 500);
}
