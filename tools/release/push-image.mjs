import { execFileSync } from 'node:child_process';

/**
 * Pushes an image of a release to the registry that its reference names.
 * @param {{ reference: string, id: string }} image - as `images/*.json` of a release has it
 * @param {NodeJS.ProcessEnv} env
 * @returns {string} the reference by the digest that the registry has it under
 * @throws when the engine has another image of that name by now, or the registry refuses
 */
export function pushImage({ reference, id }, env) {
  const [repository = ''] = reference.split(/:[^/]*$/);
  const inspect = () =>
    JSON.parse(execFileSync('docker', ['image', 'inspect', reference], { encoding: 'utf8', env }))[0];
  if (inspect().Id !== id) throw new Error(`${reference} is not what was released: ${inspect().Id}, not ${id}.`);
  execFileSync('docker', ['push', '--quiet', reference], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  /** @type {string[]} */
  const digests = inspect().RepoDigests;
  const digest = digests.find((one) => one.startsWith(`${repository}@`));
  if (digest === undefined) throw new Error(`${reference} has no digest after it was pushed.`);
  return digest;
}
