import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exampleRequests } from './example-requests.js';

const file = join(import.meta.dirname, '../../../proto/examples.json');

it('has given the query gateway its requests with answers; WRITE_EXAMPLES=1 writes them anew', () => {
  const requests = exampleRequests();
  if (process.env['WRITE_EXAMPLES'] === '1') writeFileSync(file, `${JSON.stringify(requests, null, 2)}\n`);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(requests);
});
