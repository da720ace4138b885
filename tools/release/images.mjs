import { execFileSync } from 'node:child_process';
import { repositoryRoot } from '../checks/project-files.mjs';

/** The programs that are given out as images; the mock node is for development. */
const RELEASED = ['ussd-gateway', 'oracle-api', 'proto-gateway', 'playground'];

/**
 * Builds the images from the working tree with the engine of this machine, which keeps them. By Compose, as deploy/README.md does: it brings a
 * builder along, and `docker build` needs one that not every engine comes with.
 * @param {{ version: string, commit: string, epoch: number, env: NodeJS.ProcessEnv }} release
 * @returns {{ service: string, reference: string, id: string, layers: string[], labels: Record<string, string> }[]} id: the digest
 *   of an image's configuration, which names all of its layers
 */
export function buildImages({ version, commit, epoch, env }) {
  const { NODE_IMAGE, IMAGE_PREFIX } = env;
  const images = RELEASED.map((service) => ({
    service,
    reference: `${IMAGE_PREFIX || 'mlango'}/${service}:${version}`,
  }));
  const services = images.map(({ service, reference }) => {
    const own = { SERVICE: service, VERSION: version, REVISION: commit, SOURCE_DATE_EPOCH: String(epoch) };
    const args = { ...own, ...(NODE_IMAGE ? { NODE_IMAGE } : {}) };
    return [service, { image: reference, build: { context: repositoryRoot, dockerfile: 'deploy/Dockerfile', args } }];
  });
  execFileSync('docker', ['compose', '--project-name', 'mlango-release', '--file', '-', 'build'], {
    input: JSON.stringify({ services: Object.fromEntries(services) }),
    env,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  return images.map((image) => {
    const [{ Id, RootFS, Config }] = JSON.parse(
      execFileSync('docker', ['image', 'inspect', image.reference], { encoding: 'utf8', env }),
    );
    return { ...image, id: Id, layers: RootFS.Layers, labels: Config.Labels };
  });
}
