// The only static import of every main.ts, which loads the rest with `import()`: a Node that cannot link the rest still prints the
// required version. Has no imports, and only syntax that any Node with ES modules can parse.

const MINIMUM = [20, 19, 0];

/** The problem of a version such as `20.19.0`; undefined if it is new enough. */
export function nodeProblem(version: string): string | undefined {
  const found = version.split('.').map(Number);
  const first = MINIMUM.findIndex((part, index) => part !== found[index]);
  if (first === -1 || Number(found[first]) > Number(MINIMUM[first])) return undefined;
  return `Mlango needs Node ${MINIMUM.join('.')} or newer (24 is recommended). This is Node ${version}, ${process.execPath}.`;
}

const problem = nodeProblem(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
