import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { servicesFolder } from '../../test/support/services-folder.js';
import type { FlowSource } from '../flows/build-flow.js';
import { readTenants } from './read-tenants.js';

const read = (yaml: string, flows?: readonly string[]) => {
  const folder = servicesFolder(yaml, flows);
  const { services, problems = [] } = { services: undefined, ...readTenants(folder, { appName: 'Mlango' }) };
  return { services, problems: problems.map((line) => line.replace(folder, '')), folder };
};
const token = 'a'.repeat(64);

describe('a folder of services', () => {
  it('gives each tenant its codes, name and languages', () => {
    const { services, problems } = read(
      `
services:
  default: {}
  clinic:
    codes: ['*384*1#', '*384*10-19#']
    flow: health
    name: Afya
    languages: [sw, en]
    operatorTokenSha256: ${token}
  shop: { codes: ['*384*2#'], flow: health, defaultLanguage: fr }
`,
      ['default', 'health'],
    );
    expect(problems).toEqual([]);
    const summary = services?.map(({ id, name, codes, flows: [flow] }) => [
      id,
      name,
      flow.id,
      flow.file.defaultLanguage,
      Object.keys(flow.texts).join(),
      codes.map(({ written }) => written).join(),
    ]);
    expect(summary).toEqual([
      ['default', 'Mlango', 'default', 'en', 'en,fr,sw', ''],
      ['clinic', 'Afya', 'health', 'en', 'en,sw', '*384*1#,*384*10-19#'],
      ['shop', 'Mlango', 'health', 'fr', 'en,fr,sw', '*384*2#'],
    ]);
    const languages = services?.map(({ flows: [{ file }] }) => file.screens['openLanguageMenu']?.options);
    expect(languages?.map((options) => (Array.isArray(options) ? options.length : undefined))).toEqual([3, 2, 3]);
  });

  it('is refused with a code that no caller can send, if the code levels are known', () => {
    const yaml = "services:\n  default: {}\n  shop:\n    codes: ['*1*2#', '*1*2*3-9#']\n    flow: health";
    const { folder, problems } = read(yaml, ['default', 'health']);
    expect(problems).toEqual([]);
    expect(readTenants(folder, { appName: 'Mlango', codeLevels: 2 }).problems).toEqual([
      expect.stringContaining('shop.codes.1: *1*2*3-9# has 3 groups of digits, of which SERVICE_CODE_LEVELS allows 2'),
    ]);
    expect(readTenants(folder, { appName: 'Mlango', codeLevels: 3 }).problems).toBeUndefined();
  });

  it.each([
    ['a repeated code', "codes: ['*1*7#']", '*1*7# is of clinic too (*1*7#)', 7],
    ['overlapping ranges', "codes: ['*1*3#', '*1*15-25#']", '*1*15-25# is of clinic too (*1*10-19#)', 7],
    ['an invalid code', "codes: ['1*3#']", 'must be a service code such as', 7],
    ['an invalid range', "codes: ['*1*9-1#']", 'must be a service code such as', 7],
    ['no code at all', 'name: Shop', 'needs codes, such as', 6],
    ['a missing folder', "codes: ['*1*3#']\n    flow: nowhere", 'there is no folder "nowhere"', 8],
    ['an unknown language', "codes: ['*1*3#']\n    languages: [en, pt]", 'has no texts in "pt", only in en, fr, sw', 8],
    [
      'a default outside of its languages',
      "codes: ['*1*3#']\n    languages: [en]\n    defaultLanguage: sw",
      '"sw" is not one of en',
      9,
    ],
    ['a misspelt word', "codes: ['*1*3#']\n    langauges: [en]", 'there is no "langauges" here', 8],
    ['a name that is too long', `codes: ['*1*3#']\n    name: ${'x'.repeat(41)}`, 'must be 1 to 40 characters', 8],
    ['the token of another tenant', `codes: ['*1*3#']\n    operatorTokenSha256: ${token}`, 'is that of clinic too', 8],
    ['a limit of zero', "codes: ['*1*3#']\n    limits: { atOnce: 0 }", 'must be a whole number from 1 to 10000', 8],
    ['a plain token', `codes: ['*1*3#']\n    operatorTokenSha256: let-me-in`, 'must be the SHA-256 of the token', 8],
  ])('is refused by file and line with %s', (_, lines, reason, line) => {
    const { problems } = read(
      `services:
  clinic:
    codes: ['*1*7#', '*1*10-19#']
    flow: default
    operatorTokenSha256: ${token}
  shop:
    ${lines}${lines.includes('flow:') ? '' : '\n    flow: default'}
`,
    );
    expect(problems).toEqual([expect.stringContaining(reason)]);
    expect(problems[0]).toMatch(new RegExp(`^/services.yaml:${line} `));
  });

  it('is refused with codes for the default tenant', () => {
    expect(read("services:\n  default: { codes: ['*1#'] }\n").problems).toEqual([
      '/services.yaml:2 default.codes: it gets those that no other service has, and needs none',
    ]);
  });

  it('is refused with an unused flow, and with an unsound one in any place', () => {
    const shop = "services:\n  default: {}\n  shop: { codes: ['*1#'] }\n";
    expect(read(shop, ['default', 'shop', 'bank']).problems).toEqual([
      expect.stringMatching(/^\/bank: no dial leads here/),
    ]);
    const { folder } = read(shop, ['default', 'shop']);
    const file = join(folder, 'shop/texts/sw.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^pricing:.*\n/m, ''));
    expect(readTenants(folder, { appName: 'Mlango' }).problems).toEqual([`${file}:2 texts.sw: "pricing" is missing`]);
  });

  it('reads and checks only changed flows again', () => {
    const folder = servicesFolder("services:\n  default: {}\n  shop: { codes: ['*1#'] }\n", ['default', 'shop']);
    const saved = new Map<string, FlowSource>();
    const sound = {
      find: (key: string) => saved.get(key),
      keep: (key: string, source: FlowSource) => saved.set(key, source),
    };
    const flows = () => {
      const { services = [] } = { services: undefined, ...readTenants(folder, { appName: 'Mlango' }, sound) };
      return services.map(({ flows: [flow] }) => flow);
    };
    const before = flows();
    const english = join(folder, 'shop/texts/en.yaml');
    writeFileSync(english, readFileSync(english, 'utf8').replace(/^pricing:.*/m, 'pricing: Prices'));
    const after = flows();
    expect(after[0]).toBe(before[0]);
    expect(after[1]?.texts['en']?.['pricing']).toBe('Prices');
    writeFileSync(english, readFileSync(english, 'utf8').replace(/^pricing:.*\n/m, ''));
    expect(readTenants(folder, { appName: 'Mlango' }, sound).problems).toHaveLength(1);
  });
});

describe('a folder that FLOWS_DIR should not name', () => {
  const problemsOf = (folder: string) => readTenants(folder, { appName: 'Mlango' }).problems;

  it('explains a misplaced flow: in the folder itself, or below', () => {
    const folder = servicesFolder('', ['default']);
    rmSync(join(folder, 'services.yaml'));
    expect(problemsOf(folder)).toBeUndefined();
    const flow = join(folder, 'default');
    const tooDeep = `${flow}: is the folder of one flow; the folder of flows (FLOWS_DIR) is the one above it, ${folder}`;
    expect(problemsOf(flow)).toEqual([tooDeep]);
    renameSync(join(flow, 'flow.yaml'), join(flow, 'flow.yml'));
    expect(problemsOf(flow)).toEqual([tooDeep]);
    expect(problemsOf(folder)).toEqual([`${join(flow, 'flow.yaml')}:1 is missing: rename flow.yml to flow.yaml`]);
    renameSync(join(flow, 'flow.yml'), join(flow, 'flow.yaml'));
    const above = join(folder, '..', `${basename(folder)}-above`);
    cpSync(folder, join(above, 'flows'), { recursive: true });
    expect(problemsOf(above)).toEqual([
      `${above}: has neither default/flow.yaml nor services.yaml; the folder of flows (FLOWS_DIR) may be ${join(above, 'flows')}`,
    ]);
  });

  it('requests to rename services.yml, and to save services.yaml as UTF-8', () => {
    const folder = servicesFolder('services: { default: { name: Café } }', ['default']);
    const file = join(folder, 'services.yaml');
    writeFileSync(file, readFileSync(file, 'utf8'), 'latin1');
    expect(problemsOf(folder)).toEqual([`${file}:1 is not UTF-8: save the file as UTF-8 in your editor`]);
    renameSync(file, join(folder, 'services.yml'));
    expect(problemsOf(folder)).toEqual([`${join(folder, 'services.yml')}:1 is not read: rename it to services.yaml`]);
  });
});
