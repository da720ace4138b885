/**
 * The command that the process was given as its first argument, of those that its service has; undefined where it is to serve. Any other ends
 * the process with code 2 and a line on standard error: a misspelt command must not start a service.
 */
export function givenCommand<const Name extends string>(...names: readonly Name[]): Name | undefined {
  const [, , given] = process.argv;
  if (given === undefined) return undefined;
  const known = names.find((name) => name === given);
  if (known !== undefined) return known;
  const there =
    names.length === 0 ? 'none is there' : `there ${names.length === 1 ? 'is' : 'are'} ${names.join(' and ')}`;
  process.stderr.write(`There is no command "${given}": ${there}. Without one the service starts.\n`);
  process.exit(2);
}
