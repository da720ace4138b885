import { listensAtUrl } from '@mlango/test-services/program';
import { it } from 'vitest';
import { missingTools, playGuide } from './support/play-guide.js';

const missing = missingTools('bash', 'curl');
if (missing.length > 0) process.stderr.write(`skipped: the guide "ask the oracle" needs ${missing.join(', ')}\n`);

it.skipIf(missing.length > 0)(
  'in the guide "ask the oracle by phone" each command prints its documented output',
  () =>
    playGuide(
      'ask-the-oracle-by-phone.md',
      ['services', 'examples', 'packages'],
      [
        { port: 3001, listens: listensAtUrl },
        { port: 3000, listens: listensAtUrl },
      ],
    ),
  240_000,
);
