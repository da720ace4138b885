import { pageOf, targetOf } from './pages.mjs';

/** @typedef {{ type: string, tag: string, content: string, attrGet: (name: string) => string | null, attrSet: (name: string, value: string) => void }} Token */

/**
 * A rule of markdown-it: links between files of the repository become links between pages of the site; what is no page is shown
 * without a link, for nothing is known of where the repository is read.
 * @param {import('vitepress').MarkdownRenderer} markdown
 * @param {{ files: readonly string[], known: ReadonlySet<string> }} repository
 */
export function repositoryLinks(markdown, { files, known }) {
  const fileOf = new Map(files.map((file) => [pageOf(file), file]));
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const file = fileOf.get(env.relativePath);
    if (file === undefined) return;
    for (const { children } of tokens) if (children) leadTokens(children, file, known);
  });
}

/**
 * @param {Token[]} tokens - of one line
 * @param {string} file
 * @param {ReadonlySet<string>} known
 */
function leadTokens(tokens, file, known) {
  /** Whether the link that is open is taken away. */
  let dropped = false;
  for (const token of tokens) {
    if (token.type === 'link_close' && dropped) dropped = !hide(token);
    if (token.type !== 'link_open') continue;
    const target = targetOf(file, token.attrGet('href') ?? '', known);
    if (target.kind === 'nothing') throw new Error(`${file} has a link to ${target.path}, which is not there.`);
    if (target.kind === 'page') token.attrSet('href', target.path);
    if (target.kind === 'source') dropped = hide(token);
  }
}

/** @param {Token} token */
function hide(token) {
  token.type = 'text';
  token.tag = '';
  token.content = '';
  return true;
}
