import { readFileSync } from 'node:fs';
import { fireEvent, render } from '@testing-library/react';
import { StrictMode } from 'react';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { loadMarkdown } from '../src/ui/markdown/markdown.js';
import { Markdown, type MarkdownProps, sw, UiRoot } from '../src/ui.js';

function shown(text: string, more: Partial<MarkdownProps> = {}): HTMLElement {
  const { container } = render(<Markdown text={text} {...more} />, { wrapper: StrictMode });
  return container.firstElementChild as HTMLElement;
}

beforeAll(loadMarkdown);

describe('markup', () => {
  it('renders all syntax', () => {
    const page = shown(
      '# Title\n\nA *b* **c** ~~d~~ `e &amp;` &amp; \\*f\\*\n\n1. one\n2. two\n\n- [x] done\n\n> said\n\n|a|b|\n|-|-:|\n|1<br>2|3|\n\n---',
    );
    expect(
      page.innerHTML
        .match(/<(\w+)/g)
        ?.join('')
        .replaceAll('<', ' '),
    ).toBe(
      ' h3 p em strong del code ol li li ul li input blockquote p section table thead tr th th tbody tr td br td hr',
    );
    expect(page.querySelector('p')?.textContent).toBe('A b c d e &amp; & *f*');
    expect(page.querySelector('td:last-child')?.className).toBe('mlango-align-right');
  });

  it('sets the direction of each block by its text', () => {
    const page = shown('Hello\n\nمرحبا\n\n> مرحبا\n\n- שלום\n\n|a|\n|-|\n|b|');
    for (const name of ['blockquote', 'ul', 'th', 'td']) {
      for (const block of page.querySelectorAll(name)) expect(block.getAttribute('dir')).toBe('auto');
    }
    // `dir` values are checked in the styles.
    expect(page.querySelectorAll('p[dir], li[dir]')).toHaveLength(0);
    const css = readFileSync(new URL('../src/ui/markdown/markdown.css', import.meta.url), 'utf8');
    expect(css).toMatch(/:where\(p, li, [^)]*\) \{\s*unicode-bidi: plaintext;/);
  });

  it('renders formulas if the page can, and leaves amounts of money unchanged', () => {
    const math = (tex: string, isBlock: boolean) => <b>{`${tex} ${isBlock}`}</b>;
    const text = 'For $5 and $6: $a^2$ or \\(b\\)\n\n$$\nc\n$$';
    expect([...shown(text, { math }).querySelectorAll('b')].map(({ textContent }) => textContent)).toEqual([
      'a^2 false',
      'b false',
      'c true',
    ]);
    expect(shown(text).textContent).toContain('$a^2$');
  });
});

describe('hostile Markdown', () => {
  it.each([
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    'a <b onclick="x">b</b>',
    '<iframe src="https://evil.example"></iframe>',
  ])('remains text: %s', (text) => {
    const page = shown(text);
    expect(page.textContent).toBe(text);
    expect(page.querySelectorAll('img, script, b, iframe')).toHaveLength(0);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example',
    '/settings',
    '#/chat',
    'https://bank.example@evil.example/',
    'java&#115;cript:alert(1)',
  ])('has no link target: %s', (target) => {
    const page = shown(`[text](${target})`);
    expect(page.querySelector('a')).toBeNull();
    expect(page.textContent).toBe('text');
  });

  it('ends a link in JSON at its address', () => {
    const page = shown('gave {"at":"https://a.example/x","to":"https://b.example/y"} back');
    expect([...page.querySelectorAll('a')].map(({ href }) => href)).toEqual([
      'https://a.example/x',
      'https://b.example/y',
    ]);
    expect(page.textContent).toContain('gave {"at":"https://a.example/x","to":"https://b.example/y"} back');
  });

  it('shows the host of a link, which opens a new tab', () => {
    const page = shown(
      '[https://bank.example](https://evil.example/pay) and https://own.example/a and <me@own.example>',
    );
    const links = [...page.querySelectorAll('a')];
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'https://bank.example (evil.example)',
      'https://own.example/a',
      'me@own.example',
    ]);
    for (const link of links) {
      expect(link.getAttribute('target')).toBe('_blank');
      expect(link.getAttribute('rel')).toBe('noopener noreferrer');
    }
  });

  it('loads an image on request, with a localised label', () => {
    const text = '![A goat](https://pictures.example/goat.png)';
    const { container: page } = render(
      <UiRoot words={sw}>
        <Markdown text={text} />
      </UiRoot>,
    );
    expect(page.querySelector('img')).toBeNull();
    const button = page.querySelector('button') as HTMLButtonElement;
    expect(button.textContent).toBe('Onyesha picha kutoka pictures.example: A goat');
    fireEvent.click(button);
    expect(page.querySelector('img')?.getAttribute('src')).toBe('https://pictures.example/goat.png');
    expect(page.querySelector('img')?.getAttribute('referrerpolicy')).toBe('no-referrer');
    expect(shown('![A goat](data:image/png;base64,x)').innerHTML).not.toContain('<button');
  });
});

it('shows footnotes as they are written', () => {
  const page = shown('A goat[^1].\n\n[^1]: A small one.');
  expect([...page.children].map(({ textContent }) => textContent)).toEqual(['A goat[^1].', '[^1]: A small one.']);
});

it('ends neither the page nor the text with a text of any length', () => {
  expect(shown('a\n\n'.repeat(2_000)).querySelectorAll('p:not(.mlango-written)')).toHaveLength(1_000);
  expect(shown(`${'a'.repeat(300_000)}b`).textContent).toMatch(/b$/);
});

describe('a growing text', () => {
  it.each([
    ['See [the do', 'See the do'],
    ['See [the docs](https://a.exa', 'See the docs'],
    ['It is **bo', 'It is bo'],
    ['- one\n- **tw', 'one tw'],
    ['![goat](https://pictures.ex', 'goat'],
  ])('renders incomplete %s as its final form', (half, text) => {
    const page = shown(half, { isStreaming: true });
    expect(page.textContent?.trim().replace(/\s+/g, ' ')).toBe(text);
    expect(page.querySelector('a, img, button')).toBeNull();
  });

  it('leaves rendered elements in place', () => {
    const text = 'First.\n\n|a|b|\n|-|-|\n|1|2|';
    const { container, rerender } = render(<Markdown text={text} isStreaming />);
    const [first, row] = [container.querySelector('p'), container.querySelector('tbody tr')];
    rerender(<Markdown text={`${text}\n|3|4|\n\nLast.`} isStreaming />);
    rerender(<Markdown text={`${text}\n|3|4|\n\nLast.`} />);
    expect(container.querySelector('p')).toBe(first);
    expect(container.querySelector('tbody tr')).toBe(row);
    expect(container.querySelectorAll('tbody tr')).toHaveLength(2);
  });

  it('resolves links by reference once it is complete', () => {
    const text = 'See [the docs][1].\n\n[1]: https://docs.example/';
    const { container, rerender } = render(<Markdown text={text} isStreaming />);
    rerender(<Markdown text={text} />);
    expect(container.querySelector('a')?.getAttribute('href')).toBe('https://docs.example/');
  });
});

describe('code', () => {
  it('shows the language of code, copies it unchanged, and highlights it when complete', async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
    const text = '```ts\nlet a = "<b>";';
    const { container, rerender, findByText } = render(<Markdown text={text} isStreaming />);
    expect(container.querySelector('figcaption')?.textContent).toBe('tsCopy');
    expect(container.querySelector('pre')?.textContent).toBe('let a = "<b>";');
    rerender(<Markdown text={`${text}\n\`\`\``} />);
    expect((await findByText('let', {}, { timeout: 10_000 })).className).toBe('hljs-keyword');
    expect(container.querySelector('pre')?.textContent).toBe('let a = "<b>";');
    fireEvent.click(container.querySelector('button') as HTMLButtonElement);
    expect(writeText).toHaveBeenCalledWith('let a = "<b>";');
    await findByText('Copied');
  });
});
