// npm run release -- <folder> [--images]: what a release gives out, from the commit that is checked out, into a new folder; needs the build.
// Publishes and pushes nothing: any CI can keep the folder and go on from it. The environment may say
//   SOURCE_DATE_EPOCH    the time that everything bears, in seconds; that of the commit unless set
//   RELEASE_BUILDER      a URI that names who builds, for the provenance; RELEASE_INVOCATION the run of it
//   RELEASE_SOURCE       a URI of the repository
//   IMAGE_PREFIX         what images are named below, `mlango` unless set; NODE_IMAGE what they stand on
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { manifestIn, PUBLISHED, pack } from '../checks/packing.mjs';
import { repositoryRoot } from '../checks/project-files.mjs';
import { basePackages } from './base-packages.mjs';
import { billOf } from './bill.mjs';
import { changesOf } from './changelog.mjs';
import { sha256Of } from './digest.mjs';
import { buildImages } from './images.mjs';
import { provenanceOf } from './provenance.mjs';
import { reasonsNotToRelease } from './reasons.mjs';

const git = (/** @type {readonly string[]} */ ...args) =>
  execFileSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' }).trim();

const [folder, ...options] = process.argv.slice(2);
if (folder === undefined || options.some((option) => option !== '--images')) {
  console.error('npm run release -- <folder> [--images]');
  process.exit(2);
}
const out = resolve(process.env['INIT_CWD'] ?? '.', folder);
const { version } = manifestIn(repositoryRoot);
const tag = `v${version}`;
const commit = git('rev-parse', 'HEAD');
const reasons = reasonsNotToRelease({
  version,
  changelog: readFileSync(join(repositoryRoot, 'CHANGELOG.md'), 'utf8'),
  changesets: readdirSync(join(repositoryRoot, '.changeset')).filter((file) => file.endsWith('.md')),
  dirty: git('status', '--porcelain'),
  commit,
  tagged: git('tag', '--list', tag) === '' ? undefined : git('rev-list', '-n', '1', tag),
});
if (existsSync(out) && readdirSync(out).length > 0) reasons.push(`${out} is not empty.`);
if (reasons.length > 0) {
  console.error(reasons.join('\n'));
  process.exit(1);
}

const epoch = Number(process.env['SOURCE_DATE_EPOCH'] || git('log', '-1', '--format=%ct'));
for (const part of ['packages', 'bills', 'images']) mkdirSync(join(out, part), { recursive: true });

/** @type {{ name: string, digest: { sha256: string } }[]} */
const subjects = [];
/** @param {string} path - relative to the folder */
function give(path) {
  subjects.push({ name: path, digest: { sha256: sha256Of(readFileSync(join(out, path))) } });
  console.log(path);
}
/**
 * @param {string} path
 * @param {string} text
 */
function write(path, text) {
  writeFileSync(join(out, path), text);
  give(path);
}
const json = (/** @type {unknown} */ value) => `${JSON.stringify(value, null, 2)}\n`;

write('CHANGES.md', changesOf(readFileSync(join(repositoryRoot, 'CHANGELOG.md'), 'utf8'), version) ?? '');
for (const source of PUBLISHED) {
  const { name } = manifestIn(join(repositoryRoot, source));
  give(`packages/${basename(await pack(source, join(out, 'packages')))}`);
  write(`bills/${name.replace('@', '').replace('/', '-')}.cdx.json`, json(await billOf(name, epoch)));
}
for (const { service, ...image } of options.includes('--images')
  ? buildImages({ version, commit, epoch, env: process.env })
  : []) {
  write(`images/${service}.json`, json(image));
  write(
    `bills/image-${service}.cdx.json`,
    json(await billOf(`@mlango/${service}`, epoch, basePackages(image.reference, process.env))),
  );
  subjects.push({ name: image.reference, digest: { sha256: image.id.replace('sha256:', '') } });
}
const lockfile = sha256Of(readFileSync(join(repositoryRoot, 'pnpm-lock.yaml')));
writeFileSync(
  join(out, 'provenance.intoto.json'),
  json(provenanceOf(subjects, { version, commit, lockfile, env: process.env })),
);
const listed = subjects.filter(({ name }) => existsSync(join(out, name)));
writeFileSync(join(out, 'SHA256SUMS'), listed.map(({ name, digest }) => `${digest.sha256}  ${name}\n`).join(''));
if (git('tag', '--list', tag) === '') git('tag', '--annotate', tag, '--message', `Release ${version}`);
console.log(`${tag} is in ${out}, and tagged here.`);
