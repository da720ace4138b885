import { posix } from 'node:path';

/** READMEs and pages outside `docs/` that the site shows. */
const ELSEWHERE =
  /^(README|ARCHITECTURE|CONTRIBUTING|SECURITY|CHANGELOG)\.md$|^(services|packages|examples|deploy|bench|proto)\/(.+\/)?README\.md$/;
const LINK = /(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g;
/** Code, or a link by the name of its address. */
const REFERENCE = /`[^`]+`|(?<!!)\[([^\]]*)\]\[([\w-]+)\]/g;
const DEFINITION = /^\[([\w-]+)\]: (\S+)$/gm;
const IMAGE = /!\[([^\]]*)\]\(([^)\s]+)\)/g;

/**
 * Place of a file on the site: `docs/` is the root, and the README of a folder is its first page.
 * @param {string} file - relative to the repository, with forward slashes
 * @returns {string | undefined} undefined for a file that is not shown
 */
export function pageOf(file) {
  if (file === 'README.md') return 'overview.md';
  if (!/^docs\/.+\.md$/.test(file) && !ELSEWHERE.test(file)) return undefined;
  return file.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');
}

/**
 * The text of a page with links between files turned into links between pages. A link to a file that is not shown becomes plain
 * text: the site does not know where the repository is hosted.
 * @param {string} file - of the page
 * @param {string} text
 * @param {ReadonlySet<string>} known - files and folders of the repository
 * @returns {string}
 * @throws {Error} for a link to a missing file
 */
export function pageText(file, text, known) {
  const rewrite = (/** @type {string} */ all, /** @type {string} */ label, /** @type {string} */ href) => {
    if (/^([a-z][a-z+.-]*:|#|\/)/i.test(href)) return all;
    const [path = '', anchor] = href.split('#');
    const target = posix.join(posix.dirname(file), decodeURI(path)).replace(/\/$/, '');
    if (!known.has(target)) throw new Error(`${file} has a link to ${target}, which is not there.`);
    const page = pageOf(target) ?? (known.has(`${target}/README.md`) ? pageOf(`${target}/README.md`) : undefined);
    return page === undefined ? label : `[${label}](/${page}${anchor === undefined ? '' : `#${anchor}`})`;
  };
  const page = pageOf(file) ?? file;
  const show = (/** @type {string} */ _, /** @type {string} */ alt, /** @type {string} */ href) => {
    const target = posix.join(posix.dirname(file), href);
    if (!known.has(target)) throw new Error(`${file} has a link to ${target}, which is not there.`);
    const path = posix.relative(posix.dirname(page), target.replace(/^docs\//, ''));
    return `![${alt}](${path.startsWith('.') ? path : `./${path}`})`;
  };
  const place = (/** @type {string} */ prose) => prose.replace(LINK, rewrite).replace(IMAGE, show);
  return outside(FENCED, withAddresses(file, text), (prose) => outside(INLINE, place(prose), escapeVue));
}

/**
 * Writes the address of each `[label][name]` in its place, and removes the definitions.
 * @param {string} file @param {string} text
 * @throws {Error} for a name without a definition
 */
function withAddresses(file, text) {
  const addresses = new Map([...text.matchAll(DEFINITION)].map(([, name, href]) => [name, href]));
  if (addresses.size === 0) return text;
  const inPlace = (/** @type {string} */ prose) =>
    prose.replace(DEFINITION, '').replace(REFERENCE, (all, label, name) => {
      if (name === undefined) return all;
      if (!addresses.has(name)) throw new Error(`${file} has no address for [${name}].`);
      return `[${label}](${addresses.get(name)})`;
    });
  return outside(FENCED, text, inPlace);
}

const FENCED = /(^ *```[\s\S]*?^ *```$)/m;
const INLINE = /(`[^`]+`)/;

/** Changes a text outside of code. @type {(code: RegExp, text: string, change: (prose: string) => string) => string} */
function outside(code, text, change) {
  const parts = text.split(code);
  return parts.map((part, index) => (index % 2 === 1 ? part : change(part))).join('');
}

/** Repository pages have no HTML but comments, and no Vue expressions. @param {string} prose */
function escapeVue(prose) {
  return prose
    .replace(/^<!--.*-->$/gm, '')
    .replace(/<(?!https?:)/g, '&lt;')
    .replaceAll('{{', '&#123;&#123;');
}

/**
 * @param {readonly string[]} files - of the repository
 * @returns {Set<string>} the files and the folders that hold them
 */
export function withFolders(files) {
  const folders = files.flatMap((file) => file.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/')));
  return new Set([...files, ...folders]);
}
