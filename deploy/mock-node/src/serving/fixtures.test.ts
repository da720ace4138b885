import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { readDescriptors } from '../reflection/descriptors.js';
import { readFixtures } from './fixtures.js';

const registry = readDescriptors();
const block = { height: 1, timeMs: 0 };
const SLASHING = 'cosmos.slashing.v1beta1.Query';
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function read(file: string, text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'fixtures-'));
  folders.push(folder);
  writeFileSync(join(folder, file), text);
  return readFixtures(registry, pathToFileURL(`${folder}/`));
}

describe('fixtures', () => {
  it.each([
    ['an unknown service', 'no.Such.json', {}, 'no.Such.json: the file name is no service'],
    ['an unknown method', `${SLASHING}.json`, { Nothing: {} }, `${SLASHING}.json: Nothing: no such method`],
    [
      'an unknown field of a reply',
      `${SLASHING}.json`,
      { Params: { example: {}, reply: { params: { window: '1' } } } },
      /Query\.json: Params: .*"window"/,
    ],
    [
      'a field of another type',
      `${SLASHING}.json`,
      { Params: { example: {}, reply: { params: { signed_blocks_window: 'many' } } } },
      /Query\.json: Params: .*signed_blocks_window/,
    ],
    [
      'an unknown field of an example',
      `${SLASHING}.json`,
      { Params: { example: { nothing: 1 }, reply: {} } },
      /Query\.json: Params: .*"nothing"/,
    ],
    ['a method without outcome', `${SLASHING}.json`, { Params: { example: {} } }, 'needs either reply or error'],
    [
      'a status out of range',
      `${SLASHING}.json`,
      { Params: { example: {}, error: { code: 17, text: '' } } },
      'Params: error.code: not 1 to 16',
    ],
    [
      'an item without key',
      `${SLASHING}.json`,
      { SigningInfos: { example: {}, list: { field: 'info', key: 'address', items: [{}] } } },
      'SigningInfos: list.key: an item has no text in address',
    ],
    [
      'a filter by a field that no request has',
      `${SLASHING}.json`,
      { SigningInfos: { example: {}, list: { field: 'info', key: 'address', items: [], where: { no: 'address' } } } },
      'SigningInfos: list.where: the request has no field no',
    ],
  ])('are refused for %s', (_, file, fixture, message) => {
    expect(() => read(file, JSON.stringify(fixture))).toThrow(message);
  });

  it('are refused with the file name if they are no JSON', () => {
    expect(() => read(`${SLASHING}.json`, '{')).toThrow(`${SLASHING}.json: `);
  });

  it('fill fields of the request into replies and errors', () => {
    const services = readFixtures(registry);
    const params = services['cosmos.params.v1beta1.Query']?.['Params'];
    expect(params?.answer({ subspace: 'staking', key: 'MaxValidators' }, block)).toEqual({
      param: { subspace: 'staking', key: 'MaxValidators', value: '50' },
    });
    expect(params?.answer({ subspace: 'gov', key: 'Other' }, block)).toEqual({
      param: { subspace: 'gov', key: 'Other', value: '' },
    });
    const authenticator = services['ixo.smartaccount.v1beta1.Query']?.['GetAuthenticator'];
    expect(() => authenticator?.answer({ account: 'ixo1nobody', authenticator_id: '7' }, block)).toThrow(
      'authenticator 7 not found',
    );
  });

  it('filter lists, and cut them into pages', () => {
    const services = readFixtures(registry);
    const versions = services['cosmos.upgrade.v1beta1.Query']?.['ModuleVersions'];
    expect(versions?.answer({ module_name: 'gov' }, block)).toEqual({
      module_versions: [{ name: 'gov', version: '4' }],
    });
    const infos = services[SLASHING]?.['SigningInfos'];
    expect(infos?.answer({ pagination: { limit: '2', count_total: true } }, block)).toMatchObject({
      info: { length: 2 },
      pagination: { total: '5' },
    });
  });
});
