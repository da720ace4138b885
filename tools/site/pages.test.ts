import { describe, expect, it } from 'vitest';
import { pageOf, pageText, withFolders } from './pages.mjs';

const known = withFolders([
  'README.md',
  'docs/README.md',
  'docs/guides/sockets.md',
  'docs/operations/README.md',
  'docs/images/services.svg',
  'services/oracle-api/README.md',
  'services/oracle-api/src/main.ts',
]);
const shown = (text: string) => pageText('docs/guides/sockets.md', text, known);

describe('pageOf', () => {
  it.each([
    ['docs/README.md', 'index.md'],
    ['docs/guides/sockets.md', 'guides/sockets.md'],
    ['docs/operations/README.md', 'operations/index.md'],
    ['services/oracle-api/README.md', 'services/oracle-api/index.md'],
    ['README.md', 'overview.md'],
    ['SECURITY.md', 'SECURITY.md'],
    ['docs/images/three-services.svg', undefined],
    ['tools/checks/README.md', undefined],
  ])('puts %s at %s', (file, page) => expect(pageOf(file)).toBe(page));
});

describe('pageText', () => {
  it.each([
    ['[a](../operations/README.md#probes)', '[a](/operations/index.md#probes)'],
    ['[a](../operations)', '[a](/operations/index.md)'],
    ['[a `b`](../../services/oracle-api/)', '[a `b`](/services/oracle-api/index.md)'],
    ['[a](../../services/oracle-api/src/main.ts)', 'a'],
    ['[a](https://example.org/a) [b](#here)', '[a](https://example.org/a) [b](#here)'],
    ['[a `b`][one] `[b][c]`\n\n[one]: ../README.md#start', '[a `b`](/index.md#start) `[b][c]`\n\n'],
    ['```\n[a](gone.md) {{ b }} <c>\n```', '```\n[a](gone.md) {{ b }} <c>\n```'],
    ['`<c>` <d> {{ e }}', '`<c>` &lt;d> &#123;&#123; e }}'],
    ['a\n<!-- note -->\nb', 'a\n\nb'],
  ])('turns %j into %j', (text, expected) => expect(shown(text)).toBe(expected));

  it('shows the same image in docs and in a page outside of them', () => {
    expect(shown('![The services](../images/services.svg)')).toBe('![The services](../images/services.svg)');
    expect(pageText('README.md', '![The services](docs/images/services.svg)', known)).toBe(
      '![The services](./images/services.svg)',
    );
  });

  it('refuses a reference without an address, and one to a missing file', () => {
    expect(() => shown('[a][two]\n\n[one]: ../README.md')).toThrow('docs/guides/sockets.md has no address for [two]');
    expect(() => shown('[a][one]\n\n[one]: gone.md')).toThrow('has a link to docs/guides/gone.md');
  });

  it('refuses a link to a missing file', () => {
    expect(() => shown('[a](gone.md)')).toThrow('docs/guides/sockets.md has a link to docs/guides/gone.md');
  });
});
