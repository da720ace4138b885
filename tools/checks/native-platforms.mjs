/** The platforms somebody may develop or run this on; pnpm drops one from the lockfile without a word. */
export const REQUIRED_PLATFORMS = ['darwin-arm64', 'darwin-x64', 'win32-x64', 'linux-x64', 'linux-arm64'];

/**
 * A package of which there is one per platform.
 * @typedef {object} NativeFamily
 * @property {string} parent - `name@version` of the package that picks one of them
 * @property {readonly string[]} members - `name@version` of those
 * @property {readonly string[]} missing - required platforms without a member
 */

/**
 * The native packages of a pnpm lockfile, by the package that lists them as optional dependencies. Native is what the
 * lockfile restricts to an `os` or a `cpu`.
 * @param {string} lockfile - its text
 * @returns {NativeFamily[]}
 */
export function nativeFamilies(lockfile) {
  const platformsOf = nativePackages(section(lockfile, 'packages'));
  return blocks(section(lockfile, 'snapshots')).flatMap(({ key, text }) => {
    const optional = /^ {4}optionalDependencies:\n((?: {6}.*\n?)+)/m.exec(text)?.[1] ?? '';
    const members = [...optional.matchAll(/^ {6}'?([^':]+(?:@[^':]+)?)'?: (\S+)/gm)]
      .map(([, name, version]) => `${name}@${version?.replace(/\(.*$/, '')}`)
      .filter((name) => platformsOf.has(name));
    const covered = new Set(members.flatMap((name) => platformsOf.get(name) ?? []));
    const missing = REQUIRED_PLATFORMS.filter((platform) => !covered.has(platform));
    // One lone addition for one system (a file watcher for macOS) replaces nothing elsewhere.
    return members.length > 1 ? [{ parent: key.replace(/\(.*$/, ''), members, missing }] : [];
  });
}

/**
 * @param {string} packages - the section
 * @returns {Map<string, string[]>} platforms by `name@version`
 */
export function nativePackages(packages) {
  return new Map(
    blocks(packages).flatMap(({ key, text }) => {
      const os = list(text, 'os');
      const cpu = list(text, 'cpu');
      if (os.length === 0 && cpu.length === 0) return [];
      // A package for musl is none for the glibc that most machines have.
      const libc = list(text, 'libc');
      if (libc.length > 0 && !libc.includes('glibc')) return [[key, []]];
      const systems = os.length === 0 ? ['darwin', 'linux', 'win32'] : os;
      return [
        [
          key,
          systems.flatMap((system) => (cpu.length === 0 ? ['x64', 'arm64'] : cpu).map((arch) => `${system}-${arch}`)),
        ],
      ];
    }),
  );
}

/**
 * @param {string} text
 * @param {string} field
 * @returns {string[]}
 */
function list(text, field) {
  const inline = new RegExp(`^ {4}${field}: \\[(.*)\\]`, 'm').exec(text)?.[1] ?? '';
  return inline
    .split(',')
    .map((item) => item.trim().replaceAll("'", ''))
    .filter((item) => item !== '');
}

/**
 * @param {string} lockfile
 * @param {string} name
 * @returns {string}
 */
export function section(lockfile, name) {
  const start = lockfile.search(new RegExp(`^${name}:$`, 'm'));
  if (start === -1) return '';
  const rest = lockfile.slice(start + name.length + 1);
  const end = rest.search(/^\S/m);
  return end === -1 ? rest : rest.slice(0, end);
}

/**
 * @param {string} text - a section
 * @returns {{ key: string, text: string }[]}
 */
function blocks(text) {
  return text.split(/^(?= {2}\S)/m).flatMap((block) => {
    const key = /^ {2}'?([^'\n]+?)'?:/.exec(block)?.[1];
    return key === undefined ? [] : [{ key, text: block }];
  });
}
