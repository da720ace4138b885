import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError, runCommand } from '../../bootstrap/process/run-command.mjs';
import { repositoryRoot } from '../project-files.mjs';

/** The ports that the READMEs name, with the names they call them by. */
const ADDRESSES = [
  ...[3000, 3001, 3002, 3003].map((port) => ['127.0.0.1', port]),
  ...['ussd', 'oracle', 'chain', 'playground'].map((door) => [`${door}.localhost`, 8080]),
];

/**
 * A place where a README's commands do what they say and meet nothing that is on this machine already: a copy of the
 * repository without what git ignores, containers, images and volumes under a name of their own, and the ports that the
 * README names on a loopback address of their own, which curl is told to go to.
 */
export class Trial {
  #signal;

  /** @param {AbortSignal} signal - a request to stop */
  constructor(signal) {
    this.#signal = signal;
    this.project = `mlango-trial-${process.pid}`;
    this.place = mkdtempSync(join(tmpdir(), `${this.project}-`));
    this.deploy = join(this.place, 'clone/deploy');
    // Only Linux has all of 127.0.0.0/8; a process number fits into what is left of it.
    const bits = process.pid % 4_000_000;
    const address =
      process.platform === 'linux' ? `127.${64 + (bits >> 16)}.${(bits >> 8) & 255}.${bits & 255}` : '127.0.0.1';
    const curl = ADDRESSES.map(([host, port]) => `connect-to = "${host}:${port}:${address}:${port}"\n`).join('');
    writeFileSync(join(this.place, '.curlrc'), curl);
    const own = { COMPOSE_PROJECT_NAME: this.project, BIND_ADDRESS: address, IMAGE_PREFIX: this.project };
    this.env = { ...process.env, ...this.#storeImages(), ...own, CURL_HOME: this.place, DOCKER_BUILDKIT: '1' };
  }

  /** Those built here have names of their own; where they come from a registry, they have the usual ones. */
  #storeImages() {
    if (!process.env['DEBIAN_IMAGE']) return {};
    const names = ['redis', 'postgres', 'proxy', 'prometheus'];
    return Object.fromEntries(names.map((name) => [`${name.toUpperCase()}_IMAGE`, `${this.project}/${name}`]));
  }

  async copyRepository() {
    const clone = join(this.place, 'clone');
    mkdirSync(clone);
    const copy =
      'git ls-files -z --cached --others --exclude-standard --deduplicate | tar --null -T - -cf - | tar -xf - -C "$0"';
    await this.#run(['bash', '-euo', 'pipefail', '-c', copy, clone], repositoryRoot);
  }

  /**
   * Runs commands in the copy of deploy/, and rejects with CommandError when one of them fails.
   * @param {string} commands - of bash
   * @returns {Promise<string>} what they wrote to stdout
   */
  sh(commands) {
    return this.#run(['bash', '-euo', 'pipefail', '-c', commands], this.deploy);
  }

  /** The ids of all containers of the trial, also of those that have ended. */
  async containers() {
    const ids = await this.sh(
      'docker ps --all --quiet --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME"',
    );
    return ids.split('\n').filter(Boolean);
  }

  /** The last lines that each container has written, for a message about a failure. */
  lastWords() {
    return this.sh("docker compose --profile '*' logs --no-color --tail 15").catch(() => '');
  }

  /** Takes away all that the trial has made, but for what the engine keeps to build faster next time. */
  async remove() {
    const leftovers = `docker compose --profile '*' down --volumes --remove-orphans --timeout 5
      docker image ls --quiet "$IMAGE_PREFIX/*" | sort -u | xargs --no-run-if-empty docker image rm --force`;
    // Also after a request to stop, and as root, where the files of secrets/ belong to others.
    await runCommand(['bash', '-c', leftovers], { cwd: this.deploy, env: this.env }).catch((error) =>
      console.error(error.output),
    );
    rmSync(this.place, { recursive: true, force: true });
  }

  /**
   * @param {readonly string[]} command
   * @param {string} cwd
   */
  #run(command, cwd) {
    return runCommand(command, { cwd, env: this.env, signal: this.#signal }).catch((error) => {
      if (error instanceof CommandError) error.message = `${command.join(' ')}\n${error.output}\n${error.message}`;
      throw error;
    });
  }
}
