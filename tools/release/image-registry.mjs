import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../bootstrap/process/run-command.mjs';

/** Debian's own registry; what it holds goes with its container. */
const registry = (/** @type {string} */ base) => `FROM ${base}
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends docker-registry && rm -rf /var/lib/apt/lists/*
RUN printf 'version: 0.1\\nstorage: { filesystem: { rootdirectory: /registry } }\\nhttp: { addr: ":5000" }\\n' > /registry.yml
CMD ["docker-registry", "serve", "/registry.yml"]`;

/**
 * A registry of images on a port of loopback, on the engine of this machine.
 * @param {{ name: string, place: string, env: NodeJS.ProcessEnv }} where - name: of its container and its image; place: an empty folder;
 *   env: DEBIAN_IMAGE is what it is built on, Debian's own unless set
 * @returns {Promise<{ prefix: string, lostOf: (folder: string, published: string) => Promise<string[]>, remove: () => Promise<unknown> }>}
 *   prefix: what images are to be named below. lostOf: which images of the release in a folder do not come back from
 *   there as they were, by what its publishing printed.
 *   remove: takes the registry away, and all images under its prefix
 */
export async function imageRegistry({ name, place, env }) {
  const sh = async (/** @type {string} */ commands) =>
    (await runCommand(['bash', '-euo', 'pipefail', '-c', commands], { cwd: place, env })).trim();
  let prefix = name;
  const remove = () =>
    sh(`docker rm --force ${name} >/dev/null 2>&1 || true
      docker image ls --quiet "${prefix}/*" | sort -u | xargs --no-run-if-empty docker image rm --force
      docker image rm ${name} 2>/dev/null || true`);
  try {
    const build = { context: '.', dockerfile_inline: registry(env['DEBIAN_IMAGE'] || 'debian:bookworm-slim') };
    await sh(`docker compose --project-name ${name} --file - build <<'END'
${JSON.stringify({ services: { registry: { image: name, build } } })}
END`);
    await sh(`docker run --detach --rm --name ${name} --publish 127.0.0.1::5000 ${name}`);
    const address = await sh(`docker port ${name} 5000/tcp`);
    await sh(`curl -sS --retry 20 --retry-delay 1 --retry-all-errors http://${address}/v2/`);
    prefix = `${address}/mlango`;
  } catch (error) {
    await remove();
    throw error;
  }

  /** @param {string} folder @param {string} published */
  async function lostOf(folder, published) {
    const problems = [];
    const told = readdirSync(join(folder, 'images'));
    for (const file of told) {
      const { reference, id } = JSON.parse(readFileSync(join(folder, 'images', file), 'utf8'));
      const [repository] = reference.split(/:[^/]*$/);
      const digest = published.split('\n').find((line) => line.startsWith(`${repository}@`));
      if (digest === undefined) {
        problems.push(`${reference} was not pushed:\n${published}`);
        continue;
      }
      await sh(`docker image rm ${reference} ${digest} 2>/dev/null || true; docker pull --quiet ${digest}`);
      const back = await sh(`docker image inspect --format '{{.Id}}' ${digest}`);
      await sh(`docker image rm ${digest}`);
      if (back !== id) problems.push(`${digest} came back from the registry as ${back}, and was ${id}`);
    }
    if (told.length === 0) problems.push('the release tells of no images');
    return problems;
  }
  return { prefix, lostOf, remove };
}
