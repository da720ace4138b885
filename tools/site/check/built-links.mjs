import { posix } from 'node:path';

/**
 * Links of built pages that lead to no page, no file, or no place in the page.
 * @param {ReadonlyMap<string, string>} pages - HTML by path relative to the site
 * @param {ReadonlySet<string>} files - all paths of the site
 * @param {string} base - where the site begins: `/`, or a path that ends with one
 * @returns {string[]} a line for each
 */
export function brokenLinks(pages, files, base) {
  const placesOf = new Map([...pages].map(([path, html]) => [path, valuesOf(html, 'id')]));
  return [...pages].flatMap(([path, html]) => {
    const links = new Set([...valuesOf(html, 'href'), ...valuesOf(html, 'src')]);
    const broken = [...links].filter((link) => {
      if (/^([a-z][a-z+.-]*:|\/\/)/i.test(link)) return false;
      const [to = '', place = ''] = link.split('#').map((part) => decodeURIComponent(part));
      const target = fileAt(to, path, base);
      if (!files.has(target)) return true;
      return place !== '' && placesOf.get(target)?.has(place) === false;
    });
    return broken.map((link) => `${path}: ${link} leads nowhere`);
  });
}

/**
 * @param {string} to - the path in a link; empty for the page itself
 * @param {string} from - the page
 * @param {string} base
 */
function fileAt(to, from, base) {
  if (to === '') return from;
  const path = to.startsWith(base) ? to.slice(base.length) : posix.join(posix.dirname(from), to);
  return path === '' || path.endsWith('/') ? `${path}index.html` : path;
}

/**
 * @param {string} html - as VitePress writes it: values in double quotes
 * @param {string} attribute
 * @returns {Set<string>}
 */
function valuesOf(html, attribute) {
  const found = html.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g'));
  return new Set([...found].map(([, value = '']) => value.replaceAll('&amp;', '&')));
}
