const MOST = 20;

/**
 * What of vitest's module is looked at.
 * @typedef {object} TimedModule
 * @property {string} relativeModuleId - the file, from its project
 * @property {{ name: string }} project
 * @property {() => { collectDuration: number, duration: number }} diagnostic - milliseconds
 */

/** @typedef {{ file: string, seconds: number }} TimedFile */

/**
 * The files that took longest, importing and running, slowest first: at most twenty.
 * @param {readonly TimedModule[]} modules
 * @returns {TimedFile[]}
 */
export function slowestFiles(modules) {
  return modules
    .map((module) => {
      const { collectDuration, duration } = module.diagnostic();
      return {
        file: `${module.project.name}/${module.relativeModuleId}`,
        seconds: (collectDuration + duration) / 1000,
      };
    })
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, MOST);
}

/**
 * @param {readonly TimedFile[]} files
 * @returns {string[]} lines
 */
export function slowestLines(files) {
  if (files.length === 0) return [];
  return [
    'The slowest files:',
    ...files.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`),
    '',
  ];
}
