/**
 * @typedef {object} HouseRule
 * @property {string} name - what is wrong, as a reader of the finding needs it
 * @property {(file: string) => boolean} applies
 * @property {RegExp} [path] - what a path must not match
 * @property {RegExp} [line] - what a line must not match
 */

const CODE = /\.(ts|tsx|mts|mjs|cjs|js)$/;
const TEST = /\.(test|contract|fixture)\.tsx?$|\/(test|fixtures)\//;
const LOCKFILE = /(^|\/)(pnpm-lock\.yaml|package-lock\.json)$/;
const ADAPTER = /\/(memory|redis|postgres|sql)-[^/]+$/;

/** The folders whose code is the same for the same input, whatever the day. */
const PURE =
  /^(services\/(ussd-gateway\/src\/(engine|flows)|proto-gateway\/src\/catalog)|packages\/(transcoder|cosmos-rest)\/src)\//;

/** @type {readonly HouseRule[]} */
export const houseRules = [
  {
    name: 'a registry other than the public ones is the setting of one machine',
    applies: (file) => !file.startsWith('tools/checks/'),
    line: /^\s*(?:@[\w-]+:)?registry\s*=|\b(?:npm|pnpm|yarn)_config_registry\s*=|--registry[= ]\S+|\b[\w.-]*(?:artifactory|nexus|verdaccio|jfrog)[\w.-]*\.[a-z]{2,}\b/i,
  },
  {
    name: 'a lockfile names no host: integrity alone says what a package is',
    applies: (file) => LOCKFILE.test(file),
    line: /(?:\btarball: ?|"resolved": ?")\S+/,
  },
  {
    name: 'an absolute path of somebody’s machine',
    // A Dockerfile's paths are those of its image.
    applies: (file) => !LOCKFILE.test(file) && !file.startsWith('tools/checks/') && !/Dockerfile/.test(file),
    line: /(?<![\w.~$}/-])\/(?:home|Users|root|work|mnt|media|private)\/[\w.-]+|\b[A-Za-z]:\\+Users\\+\w+|(?<![\w.~$}/-])\/tmp\/[a-z]\w+/,
  },
  {
    name: 'a private key or a token',
    applies: (file) => !LOCKFILE.test(file) && !file.startsWith('tools/checks/'),
    line: /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----|\bgh[pousr]_\w{36}|\bnpm_[A-Za-z0-9]{36}\b|\bAKIA[0-9A-Z]{16}\b|\bxox[abprs]-\d+-\w+/,
  },
  {
    name: 'a file is named by its idea',
    applies: (file) => CODE.test(file),
    path: /(^|\/)(utils?|helpers?|common|misc|shared|lib)(\/|\.\w+$)/,
  },
  {
    name: 'a barrel hides what is used: export subpaths',
    applies: (file) => /^(packages|services)\/[^/]+\/src\//.test(file) && CODE.test(file),
    path: /\/index\.tsx?$/,
  },
  {
    name: 'file names are kebab-case',
    applies: (file) => /\/src\//.test(file) && CODE.test(file),
    path: /[^/]*[A-Z_][^/]*$/,
  },
  {
    name: 'the domain is handed its clock and its randomness',
    applies: (file) => PURE.test(file) && !TEST.test(file) && !ADAPTER.test(file),
    line: /\b(?:Date\.now|Math\.random|performance\.now|randomUUID|randomBytes)\(|\bnew Date\(\)/,
  },
  {
    name: 'a test that is switched off or alone is no test',
    // The tests of the tools write such tests into files of their own.
    applies: (file) => TEST.test(file) && !file.startsWith('tools/'),
    line: /\b(?:it|test|describe)\.(?:only|skip|todo)\b/,
  },
];
