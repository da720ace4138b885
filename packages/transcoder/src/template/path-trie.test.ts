import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTemplate } from './parse-template.js';
import { PathTrie } from './path-trie.js';
import type { UnescapeMode } from './percent-decoding.js';

/** A trie of `METHOD template` rules; each rule is its own target. */
function trieOf(rules: readonly string[], mode?: UnescapeMode): PathTrie<string> {
  const trie = new PathTrie<string>(mode);
  for (const rule of rules) {
    const [method = '', text = ''] = rule.split(' ');
    const result = parseTemplate(text);
    if ('problem' in result) throw new Error(result.problem);
    trie.insert(method, result.template, rule);
  }
  return trie;
}

function find(rules: readonly string[], path: string, method = 'GET', mode?: UnescapeMode): string | undefined {
  const match = trieOf(rules, mode).match(method, path);
  return match.kind === 'found' ? match.target : undefined;
}

function valuesOf(rule: string, path: string, mode?: UnescapeMode): readonly string[] | string {
  const match = trieOf([`GET ${rule}`], mode).match('GET', path);
  return match.kind === 'found' ? match.values : match.kind;
}

describe('PathTrie', () => {
  it('takes the most specific rule in any order', () => {
    const rules = ['GET /a/**', 'GET /a/*', 'GET /a/{x=b/*}', 'GET /a/b/c', 'GET /a/**/c', 'GET /**', 'GET /*/b/c'];
    const expected: [string, string | undefined][] = [
      ['/a/b/c', 'GET /a/b/c'],
      ['/a/b/d', 'GET /a/{x=b/*}'],
      ['/a/x', 'GET /a/*'],
      ['/a/x/c', 'GET /a/**/c'],
      ['/a/x/y', 'GET /a/**'],
      ['/z/b/c', 'GET /*/b/c'],
      ['/z', 'GET /**'],
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(rules, { minLength: rules.length }), (shuffled) => {
        for (const [path, rule] of expected) expect(find(shuffled, path)).toBe(rule);
      }),
      { numRuns: 50 },
    );
  });

  it('backtracks when a literal does not match', () => {
    expect(find(['GET /a/b/c', 'GET /*/b/d'], '/a/b/d')).toBe('GET /*/b/d');
    expect(find(['GET /a/*/c', 'GET /a/**'], '/a/b/x')).toBe('GET /a/**');
  });

  it('uses another rule if a path without variables has none for the method', () => {
    const rules = ['GET /a/b', 'POST /a/*', 'DELETE /**', 'GET /a/b:c'];
    expect(['GET', 'HEAD', 'POST', 'DELETE'].map((method) => find(rules, '/a/b', method))).toEqual([
      'GET /a/b',
      'GET /a/b',
      'POST /a/*',
      'DELETE /**',
    ]);
    expect([find(rules, '/a/b:c'), find(rules, '/a/%62'), find(rules, '/a/b/')]).toEqual([
      'GET /a/b:c',
      'GET /a/b',
      undefined,
    ]);
  });

  it('binds a DID in any segment', () => {
    const did = 'did:ixo:entity:abc';
    expect(valuesOf('/e/{id}', `/e/${did}`)).toEqual([did]);
    expect(valuesOf('/e/{id}/metadata', `/e/${did}/metadata`)).toEqual([did]);
  });

  it('reads a colon as a verb only if a rule has that verb', () => {
    const rules = ['GET /e/{id}', 'GET /e/{id}:check'];
    expect(find(rules, '/e/did:ixo:1')).toBe('GET /e/{id}');
    expect(find(rules, '/e/did:ixo:1:check')).toBe('GET /e/{id}:check');
    expect(find(rules, '/e/did:check:1')).toBe('GET /e/{id}');
    expect(find(['GET /e/{id}:check'], '/e/a:other')).toBeUndefined();
    expect(find(['GET /e'], '/e:')).toBeUndefined();
  });

  it('decodes an escaped slash in one segment and keeps it in a value of several', () => {
    expect(valuesOf('/e/{id}', '/e/a%2Fb%3F')).toEqual(['a/b?']);
    expect(valuesOf('/e/{id=**}', '/e/a%2Fb/c%20d')).toEqual(['a%2Fb/c d']);
    expect(valuesOf('/e/{id=**}', '/e/a%2Fb%3F', 'all_except_slash')).toEqual(['a%2Fb?']);
    expect(valuesOf('/e/{id=**}', '/e/a%2Fb', 'all')).toEqual(['a/b']);
    expect(valuesOf('/e/{id}', '/e/a%2Fb', 'legacy')).toBe('none');
  });

  it('decodes once', () => {
    expect(valuesOf('/e/{id}', '/e/100%25')).toEqual(['100%']);
    expect(valuesOf('/e/{id}', '/e/%252F')).toEqual(['%2F']);
  });

  it('matches an escaped letter of a literal, but no escaped slash', () => {
    expect(find(['GET /a/b'], '/%61/b')).toBe('GET /a/b');
    expect(find(['GET /a/b'], '/a%2Fb')).toBeUndefined();
  });

  it.each(['/e/', '//e', '/e//x', '/e/x/', '', 'e', '*'])('matches no empty segment: %j', (path) => {
    for (const rule of ['/e/{id}', '/e/{id}/x', '/e/{id=*/*}']) expect(valuesOf(rule, path)).toBe('none');
  });

  it('matches any rest with **, empty and slashes too', () => {
    expect(valuesOf('/**', '/')).toEqual([]);
    expect(valuesOf('/{id=**}', '/')).toEqual(['']);
    expect(valuesOf('/{id=**}', '//')).toEqual(['/']);
    expect(valuesOf('/e/{id=**}', '/e/')).toEqual(['']);
    expect(valuesOf('/e/{id=**}', '/e/x/')).toEqual(['x/']);
    expect(valuesOf('/e/{id=**}', '/e//x')).toEqual(['/x']);
    expect(valuesOf('/e/{id=**}', `/e/${'/'.repeat(2000)}x`)).toEqual([`${'/'.repeat(2000)}x`]);
    expect(valuesOf('/{id=**}/x', '//x')).toEqual(['']);
    expect(valuesOf('/e/{id=**}', '//e')).toBe('none');
    expect(find(['GET /e/{id}', 'GET /e/**'], '/e/')).toBe('GET /e/**');
  });

  it('selects the longest matching verb', () => {
    const trie = trieOf(['GET /e/{id}', 'GET /e/{id}:go', 'GET /e/{id}:now:go']);
    const found = (path: string) => {
      const match = trie.match('GET', path);
      return match.kind === 'found' ? [match.target, ...match.values] : match.kind;
    };
    expect(found('/e/a:b:go')).toEqual(['GET /e/{id}:go', 'a:b']);
    expect(found('/e/a:now:go')).toEqual(['GET /e/{id}:now:go', 'a']);
    expect(found('/e/:go')).toEqual(['GET /e/{id}', ':go']);
    expect(found('/e/a:gone')).toEqual(['GET /e/{id}', 'a:gone']);
  });

  it.each(['/e/%', '/e/%2', '/e/%zz', '/%/x', '/e/%ff'])('reports a malformed escape: %s', (path) => {
    expect(valuesOf('/e/{id}', path)).toBe('bad_escape');
  });

  it('lets ** be empty and preserves the segments after it', () => {
    expect(valuesOf('/v1/{name=o/**}', '/v1/o')).toEqual(['o']);
    expect(valuesOf('/{x=**}/tail', '/a/b/tail')).toEqual(['a/b']);
    expect(valuesOf('/a/{x=*}/{y=**}/c', '/a/1/2/3/c')).toEqual(['1', '2/3']);
  });

  it('serves HEAD by a GET rule and names the other methods of a path', () => {
    const trie = trieOf(['GET /e/{id}', 'POST /e/{id}', 'GET /e/params']);
    expect(trie.match('HEAD', '/e/params')).toMatchObject({ kind: 'found', target: 'GET /e/params' });
    expect(trie.match('POST', '/e/params')).toMatchObject({ kind: 'found', target: 'POST /e/{id}' });
    expect(trie.match('PUT', '/e/params')).toEqual({ kind: 'other_method', methods: ['GET', 'POST'] });
    expect(trieOf(['* /e']).match('DELETE', '/e')).toMatchObject({ kind: 'found' });
  });

  it('keeps the first of two rules for one method and shape, and returns it', () => {
    const trie = trieOf(['GET /e/{id}']);
    const other = parseTemplate('/e/{name}');
    if ('problem' in other) throw new Error(other.problem);
    expect(trie.insert('GET', other.template, 'second')).toBe('GET /e/{id}');
    expect(trie.match('GET', '/e/1')).toMatchObject({ target: 'GET /e/{id}' });
  });

  it('never throws and never binds wrongly: a value in a path is returned unchanged', () => {
    const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(value, value, (id, name) => {
        const path = `/e/${encodeURIComponent(id)}/x/${encodeURIComponent(name)}`;
        expect(valuesOf('/e/{id}/x/{name}', path)).toEqual([id, name]);
      }),
    );
  });

  it('never throws for any path', () => {
    const trie = trieOf(['GET /a/{x=b/**}', 'GET /a/*:go', 'GET /**/z', 'POST /a/b', 'GET /{x}/y']);
    const piece = fc.constantFrom(
      '/',
      'a',
      'b',
      'y',
      'z',
      ':',
      'go',
      '%',
      '%2F',
      '%ff',
      '%00',
      '..',
      '.',
      '?',
      'é',
      '\u0000',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (parts) => {
        expect(trie.match('GET', `/${parts.join('')}`)).toHaveProperty('kind');
      }),
    );
  });
});
