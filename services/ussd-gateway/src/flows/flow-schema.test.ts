import { expect, it } from 'vitest';
import { z } from 'zod';
import { flowFile } from './flow-file.js';

/** Told to editors as YAML reads it: what says so in its `meta` is a number or a truth value there. */
const schema = z.toJSONSchema(flowFile, { io: 'input', reused: 'ref', target: 'draft-7' });

it('the published schema of flow.yaml is the one that flows are read by', async () => {
  // `pnpm vitest run flow-schema --update` writes it anew.
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../../flow.schema.json');
});
