import { posix } from 'node:path';

/** What else than `docs/` is read on the site: how each part is used, and the pages of the whole. */
const ELSEWHERE =
  /^(README|ARCHITECTURE|CONTRIBUTING|SECURITY|CHANGELOG)\.md$|^(services|packages|examples|deploy|bench|proto)\/(.+\/)?README\.md$/;

/**
 * Where a file of the repository stands on the site. What lies in `docs/` is at the root; the README of a folder is its first page.
 * @param {string} file - relative to the repository, with forward slashes
 * @returns {string | undefined} a Markdown file relative to the root of the site; undefined for what is no page
 */
export function pageOf(file) {
  if (file === 'README.md') return 'overview.md';
  if (!/^docs\/.+\.md$/.test(file) && !ELSEWHERE.test(file)) return undefined;
  return file.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');
}

/**
 * What a link in a file leads to.
 * @param {string} file - that holds the link
 * @param {string} href - relative to it, or with a scheme, or an anchor alone
 * @param {ReadonlySet<string>} known - files of the repository and the folders that hold them
 * @returns {{ kind: 'as it is' } | { kind: 'page', path: string } | { kind: 'source', path: string } | { kind: 'nothing', path: string }}
 *   a page by its path on the site with its anchor, or a file or folder of the repository that is no page
 */
export function targetOf(file, href, known) {
  if (/^([a-z][a-z+.-]*:|#|\/)/i.test(href)) return { kind: 'as it is' };
  const [path = '', anchor] = href.split('#');
  const target = posix.join(posix.dirname(file), decodeURI(path)).replace(/\/$/, '');
  if (!known.has(target)) return { kind: 'nothing', path: target };
  const page = pageOf(target) ?? (known.has(`${target}/README.md`) ? pageOf(`${target}/README.md`) : undefined);
  if (page === undefined) return { kind: 'source', path: target };
  return { kind: 'page', path: `/${page}${anchor === undefined ? '' : `#${anchor}`}` };
}

/**
 * @param {readonly string[]} files - of the repository
 * @returns {Set<string>} the same with every folder that holds one
 */
export function withFolders(files) {
  const known = new Set(files);
  for (const file of files) {
    for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) known.add(file.slice(0, at));
  }
  return known;
}
