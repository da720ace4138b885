import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.js';
import { loadConfiguredTenants } from './open-tenants.js';

describe('the flows of a deployment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'flows-'));
  const file = join(folder, 'flow.yaml');
  writeFileSync(file, '');
  const load = (FLOWS_DIR: string) => () => loadConfiguredTenants(readConfig({ FLOWS_DIR }));

  it('are those of this package unless FLOWS_DIR is set', () => {
    expect(loadConfiguredTenants(readConfig({}))).toHaveLength(1);
  });

  it.each([
    [join(folder, 'none'), 'there is no such file or folder (ENOENT)'],
    [file, 'a part of the path is no folder (ENOTDIR)'],
  ])('cannot be read from %s, and the setting is named with the reason', (named, reason) => {
    expect(load(named)).toThrow(`FLOWS_DIR: ${named} cannot be read: ${reason}`);
  });

  it('are invalid if the folder has none, or is one level too deep', () => {
    const empty = mkdtempSync(join(tmpdir(), 'flows-'));
    expect(load(empty)).toThrow(
      `The flows are not sound:\n  ${empty}: has neither default/flow.yaml nor services.yaml`,
    );
    expect(load(folder)).toThrow(
      `The flows are not sound:\n  ${folder}: is the folder of one flow; the folder of flows (FLOWS_DIR) is the one above it`,
    );
  });
});
