import { expect, it } from 'vitest';
import { z } from 'zod';
import { servicesFile } from './services-file.js';

/** Told to editors as YAML reads it: what says so in its `meta` is a number or a truth value there. */
const schema = z.toJSONSchema(servicesFile, { io: 'input', reused: 'ref', target: 'draft-7' });

it('the published schema of services.yaml is the one that services are read by', async () => {
  // `pnpm vitest run services-schema --update` writes it anew.
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../../services.schema.json');
});
