/** Plugins that are invalid or cannot be started together. The oracle does not start. */
export class PluginError extends Error {
  override readonly name = 'PluginError';
}

/** Members of plugins of other systems, with their equivalents here. */
const foreignMembers: Readonly<Record<string, string>> = {
  getNestModules: 'getRoutes',
  nestModules: 'getRoutes',
  getControllers: 'getRoutes',
  routes: 'getRoutes',
  tools: 'getTools',
  middlewares: 'getMiddlewares',
  publicRoutes: 'getAuthExcludedRoutes',
  config: 'configSchema',
  onClose: 'close',
  onModuleDestroy: 'close',
  dependencies: 'dependsOn',
};

/** Returns the error text for an unsupported member, with a suggestion, or undefined if all members are known. Pure. */
export function unknownMember(value: object, known: readonly string[]): string | undefined {
  const unknownName = Object.keys(value).find((key) => !known.includes(key));
  if (unknownName === undefined) return undefined;
  const meant = known.includes(foreignMembers[unknownName] ?? '')
    ? foreignMembers[unknownName]
    : nearest(unknownName, known);
  return `there is no member "${unknownName}"${meant === undefined ? '' : `: did you mean ${meant}?`}`;
}

/** Finds a member that differs only in case or in at most two letters. */
function nearest(unknownName: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((name) => ({ name, edits: distance(unknownName.toLowerCase(), name.toLowerCase()) }))
    .toSorted((one, other) => one.edits - other.edits);
  return best !== undefined && best.edits <= 2 ? best.name : undefined;
}

/** Edit distance: letters to add, remove or replace. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, opposite] of [...other].entries()) {
      const replaced = (row[j] ?? 0) + (letter === opposite ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
