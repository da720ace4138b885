import { listensAtUrl } from '@mlango/test-services/program';
import { it } from 'vitest';
import { missingTools, playGuide } from './support/play-guide.js';

const missing = missingTools('bash', 'curl', 'openssl');
if (missing.length > 0) process.stderr.write(`skipped: the guide "choose from a list" needs ${missing.join(', ')}\n`);

it.skipIf(missing.length > 0)(
  'in the guide "choose from a list" each command prints its documented output',
  () =>
    playGuide(
      'choose-from-a-list.md',
      ['services', 'examples'],
      [
        { port: 3010, listens: /(Mobile money)/, env: { GATEWAY_URL: 'http://127.0.0.1:3000' } },
        { port: 3000, listens: listensAtUrl },
      ],
    ),
  120_000,
);
