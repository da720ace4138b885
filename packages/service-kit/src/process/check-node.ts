// Imported first and alone by every main.ts, which gets the rest with `import()`: a Node that cannot even link the rest still
// says what is needed. It imports nothing, and says it in syntax that any Node with ES modules can read.

const MINIMUM = [20, 19, 0];

/** What is needed and found, or undefined when a version such as `20.19.0` is new enough. */
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
