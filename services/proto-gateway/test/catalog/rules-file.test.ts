import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { openCatalog } from '../../src/deps/open-catalog.js';

const folder = mkdtempSync(join(tmpdir(), 'rules-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The catalog of a gateway with these rules. */
function catalogWith(yaml: string) {
  const file = join(folder, 'rules.yaml');
  writeFileSync(file, yaml);
  return openCatalog(readConfig({ PROTO_HTTP_RULES: file })).catalog;
}

const RULES = `type: google.api.Service
config_version: 3
http:
  rules:
    - selector: ixo.token.v1beta1.Query.Params
      get: /ixo/tokens/settings
      additional_bindings:
        - get: /settings/of/tokens
`;

describe('the rules of an operator', () => {
  it('hold in place of the annotations of their methods, under the prefixes of the gateway', () => {
    const transcoder = catalogWith(RULES)?.table.transcoder;
    const kinds = ['/proto/tokens/settings', '/ixo/tokens/settings', '/settings/of/tokens', '/proto/token/params'].map(
      (path) => transcoder?.match('GET', path).kind,
    );
    expect(kinds).toEqual(['found', 'found', 'found', 'none']);
  });

  it.each([
    ['a method that is not there', RULES.replace('Params', 'Parms'), 'rules.yaml:5: there is no method'],
    ['a path that does not fit', RULES.replace('/ixo/tokens/settings', '/{nope}'), 'rules.yaml:6: ixo.token.v1beta1'],
    ['a misfit further in', RULES.replace('/settings/of/tokens', 'settings'), 'rules.yaml:8: a template starts with /'],
    ['a key that is none', RULES.replace('additional_bindings', 'more'), 'rules.yaml:7: there is no more here'],
    ['invalid YAML', `${RULES}  - [`, 'rules.yaml:9: is not YAML'],
    ['another type', RULES.replace('google.api.Service', 'x'), 'rules.yaml:1: must be google.api.Service'],
  ])('prevent the start with %s, naming file and line', (_what, yaml, words) => {
    let failure: unknown;
    try {
      catalogWith(yaml);
    } catch (error) {
      failure = error;
    }
    expect(String(failure)).toContain('PROTO_HTTP_RULES');
    expect(String(failure)).toContain(words);
  });

  it('do not start without their file', () => {
    expect(() => openCatalog(readConfig({ PROTO_HTTP_RULES: join(folder, 'none.yaml') }))).toThrow('cannot be read');
  });
});
