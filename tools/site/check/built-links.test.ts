import { describe, expect, it } from 'vitest';
import { brokenLinks } from './built-links.mjs';

const other = '<h2 id="now&amp;then">Now</h2><h2 id="größe">G</h2>';
const check = (html: string, base = '/') => {
  const pages = new Map([
    ['guides/one.html', html],
    ['other.html', other],
    ['index.html', ''],
  ]);
  return brokenLinks(pages, new Set([...pages.keys(), 'style.css']), base);
};

describe('brokenLinks', () => {
  it.each([
    '<a href="/other.html#now&amp;then">',
    '<a href="../other.html">',
    '<a href="/other.html#gr%C3%B6%C3%9Fe">',
    '<a href="/">',
    '<link href="/style.css"><img src="/style.css">',
    '<h2 id="here"></h2><a href="#here">',
    '<a href="https://example.org/none#none">',
    '<a href="mailto:a@example.org">',
  ])('finds none in %s', (html) => expect(check(html)).toEqual([]));

  it.each(['/none.html', '/other.html#later', '#here', 'other.html', '/none/'])('finds %s', (href) => {
    expect(check(`<a class="x" href="${href}">`)).toEqual([`guides/one.html: ${href} leads nowhere`]);
  });

  it('knows where the site begins', () => {
    expect(check('<a href="/site/other.html">', '/site/')).toEqual([]);
    expect(check('<a href="/other.html">', '/site/')).toHaveLength(1);
  });
});
