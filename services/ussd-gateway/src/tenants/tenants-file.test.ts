import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder } from '../../test/support/fresh-folder.js';
import { editorProblems, publishedSchema } from '../flows/published-schema.fixture.js';
import { shippedFlows } from '../flows/read-flow.js';
import { tenantsFile } from './tenants-file.js';

it('the published schema of services.yaml is the one used to read it', async () => {
  // `pnpm vitest run services-schema --update` writes it again.
  await expect(publishedSchema(tenantsFile)).toMatchFileSnapshot('../../flows/services.schema.json');
});

it('a YAML language server finds it in a copied folder of flows', async () => {
  const folder = freshFolder();
  cpSync(shippedFlows, folder, { recursive: true });
  const text = `# yaml-language-server: $schema=services.schema.json
services:
  default: {}
  clinic:
    codes: ['*384*1#', '*384*10-19#']
    limits: { hopsPerSecond: 500, atOnce: 200, sessions: 20000 }
`;
  expect(await editorProblems(join(folder, 'services.yaml'), text)).toEqual([]);
  expect(await editorProblems(join(folder, 'services.yaml'), text.replace('500', 'many'))).toEqual([
    '6 Incorrect type. Expected "integer".',
  ]);
});
