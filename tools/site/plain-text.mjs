/**
 * What is text to every reader of Markdown stays text here: comments for programs are left out, and what would be an expression
 * of Vue is shown as it stands. Places that a link may lead to, which typedoc writes as empty elements, remain.
 * @param {import('vitepress').MarkdownRenderer} markdown - that takes no HTML
 */
export function plainText(markdown) {
  markdown.core.ruler.before('block', 'comments', (state) => {
    state.src = state.src.replace(/^<!--.*-->$/gm, '');
  });
  /** @param {string | undefined} content */
  const shown = (content = '') => markdown.utils.escapeHtml(content).replaceAll('{{', '&#123;&#123;');
  markdown.renderer.rules.text = (tokens, index) =>
    shown(tokens[index]?.content).replace(/&lt;a id=&quot;([\w-]+)&quot;&gt;&lt;\/a&gt;/g, '<a id="$1"></a>');
  markdown.renderer.rules.code_inline = (tokens, index) => `<code>${shown(tokens[index]?.content)}</code>`;
}
