import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { manifestIn, PUBLISHED, pack } from '../checks/packing.mjs';
import { outputOf, pnpm } from '../checks/pnpm.mjs';
import { repositoryRoot } from '../checks/project-files.mjs';

const gitIn = (/** @type {string} */ cwd, /** @type {string[]} */ ...args) =>
  execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();

/**
 * @param {string} root - a clone
 * @returns {string[]} why its current commit cannot be released
 */
export function reasonsNotToRelease(root) {
  const { version } = manifestIn(root);
  const changesets = readdirSync(join(root, '.changeset')).filter((file) => file.endsWith('.md'));
  const hasTag = (/** @type {string[]} */ ...of) => gitIn(root, 'tag', '--list', `v${version}`, ...of) !== '';
  return [
    changesets.length > 0 && `${changesets.length} changesets are not released: run \`npm run release -- version\`.`,
    !readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## ${version} - `) &&
      `CHANGELOG.md has no section for ${version}.`,
    gitIn(root, 'status', '--porcelain') !== '' && 'The working tree has uncommitted changes.',
    hasTag() && !hasTag('--points-at', 'HEAD') && `v${version} is the tag of another commit.`,
  ].filter((reason) => reason !== false);
}

/**
 * Packs the published packages of the current commit, each with a bill of materials, and lists their checksums.
 * @param {string} folder - to be created
 */
export async function buildRelease(folder) {
  const reasons = reasonsNotToRelease(repositoryRoot);
  if (reasons.length > 0) throw new Error(reasons.join('\n'));
  mkdirSync(folder);
  const sums = [];
  for (const source of PUBLISHED) {
    const archive = await pack(source, folder);
    const { name } = manifestIn(join(repositoryRoot, source));
    const bill = await pnpm(['sbom', '--sbom-format', 'cyclonedx', '--prod', '--filter', name]);
    writeFileSync(archive.replace(/\.tgz$/, '.cdx.json'), bill);
    sums.push(`${createHash('sha256').update(readFileSync(archive)).digest('hex')}  ${basename(archive)}\n`);
  }
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
}

/**
 * Publishes an archive to the registry of npm's settings. In a CI that offers an OIDC token npm adds a signed provenance.
 * @param {string} archive
 * @param {{ name: string, version: string, env: NodeJS.ProcessEnv }} release
 * @returns {Promise<'published' | 'already published'>}
 * @throws if the registry refuses, or has this version with other bytes
 */
export async function publishArchive(archive, { name, version, env }) {
  // Without an explicit log level, npm below a silent `npm run` hides the code of its error.
  const npm = (/** @type {string[]} */ ...args) =>
    promisify(execFile)('npm', [...args, '--loglevel=error'], { env, shell: process.platform === 'win32' });
  const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  const { stdout } = await npm('view', `${name}@${version}`, 'dist.integrity').catch((error) => {
    if (/\bE404\b/.test(outputOf(error))) return { stdout: '' };
    throw error;
  });
  if (stdout.trim() === integrity) return 'already published';
  if (stdout.trim() !== '') throw new Error(`${name}@${version} is published with other bytes: ${stdout.trim()}`);
  const hasIdentity = env['ACTIONS_ID_TOKEN_REQUEST_URL'] || env['SIGSTORE_ID_TOKEN'];
  await npm('publish', archive, '--access', 'public', ...(hasIdentity ? ['--provenance'] : []));
  return 'published';
}

/**
 * Publishes the packages of a release in the order of their dependencies.
 * @param {string} folder - written by `buildRelease`
 * @param {{ images: boolean }} options - images: also builds and pushes the images
 */
export async function publishRelease(folder, { images }) {
  for (const source of PUBLISHED) {
    const { name, version } = manifestIn(join(repositoryRoot, source));
    const archive = join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
    console.log(`${name}@${version}: ${await publishArchive(archive, { name, version, env: process.env })}`);
  }
  if (images) pushImages(manifestIn(repositoryRoot).version, process.env);
}

/** @type {(version: string, env: NodeJS.ProcessEnv) => void} */
function pushImages(version, env) {
  const values = {
    VERSION: version,
    REVISION: gitIn(repositoryRoot, 'rev-parse', 'HEAD'),
    SOURCE_DATE_EPOCH: env['SOURCE_DATE_EPOCH'] || gitIn(repositoryRoot, 'log', '-1', '--format=%ct'),
    ...(env['NODE_IMAGE'] ? { NODE_IMAGE: env['NODE_IMAGE'] } : {}),
  };
  const services = ['ussd-gateway', 'oracle-api', 'proto-gateway', 'playground'].map((service) => {
    const build = { context: '.', dockerfile: 'deploy/Dockerfile', args: { SERVICE: service, ...values } };
    return [service, { image: `${env['IMAGE_PREFIX'] || 'mlango'}/${service}:${version}`, build }];
  });
  const input = JSON.stringify({ name: 'mlango-release', services: Object.fromEntries(services) });
  const docker = (/** @type {string[]} */ ...args) =>
    execFileSync('docker', args, { cwd: repositoryRoot, env, input, stdio: ['pipe', 'inherit', 'inherit'] });
  // Only buildx can attach a bill of materials and a provenance.
  if (spawnSync('docker', ['buildx', 'version'], { env }).status === 0) {
    docker('buildx', 'bake', '--file', '-', '--push', '--sbom=true', '--provenance=mode=max');
  } else for (const step of ['build', 'push']) docker('compose', '--file', '-', step);
}
