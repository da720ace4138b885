import type { Element, Root as HtmlRoot } from 'hast';
import type { Link, PhrasingContent, Root, Text } from 'mdast';
import { SKIP, visit } from 'unist-util-visit';
import { textOf } from './elements.js';

/** Characters that addresses do not have. */
const address = /(https?:\/\/[^\s"{}\\^`|<]+)/;

/** The part of unified's processor that is used. */
interface Parser {
  data(): object & { micromarkExtensions?: object[] };
}

/** HTML becomes text, except line breaks; so do footnotes. A literal address in JSON ends at its quote. */
export function remarkPlainText(this: Parser) {
  const data = this.data();
  data.micromarkExtensions ??= [];
  // A footnote and its text are in two blocks, each of which is read alone.
  data.micromarkExtensions.push({ disable: { null: ['gfmFootnoteDefinition'] } });
  return (tree: Root): void => {
    visit(tree, (node, index, parent) => {
      if (parent === undefined || index === undefined) return undefined;
      if (node.type === 'html') {
        const isBreak = /^<br\s*\/?>$/i.test(node.value);
        const text: PhrasingContent = isBreak ? { type: 'break' } : { type: 'text', value: node.value };
        const isInline = parent.type !== 'root' && parent.type !== 'blockquote' && parent.type !== 'listItem';
        parent.children[index] = isInline ? text : { type: 'paragraph', children: [text] };
        return SKIP;
      }
      if (node.type === 'link' && isLiteral(node) && /["{}\\^`|]/.test(node.url)) {
        const parts = node.children[0].value.split(address).map(partOfAddress);
        parent.children.splice(index, 1, ...parts);
        return index + parts.length;
      }
      return undefined;
    });
  };
}

function isLiteral(node: Link): node is Link & { children: [Text] } {
  const [child] = node.children;
  return node.children.length === 1 && child?.type === 'text' && child.value === node.url;
}

function partOfAddress(value: string, at: number): PhrasingContent {
  const text: Text = { type: 'text', value };
  return at % 2 === 0 ? text : { type: 'link', url: value, children: [text] };
}

/** Names the checkbox of a task by the text of the task. */
export function rehypeTaskNames() {
  return (tree: HtmlRoot): void => {
    visit(tree, 'element', (node) => {
      if (node.tagName !== 'li') return;
      visit(node, 'element', (inner: Element) => {
        if (inner.tagName === 'input') inner.properties['ariaLabel'] ??= textOf(node).trim();
      });
    });
  };
}
