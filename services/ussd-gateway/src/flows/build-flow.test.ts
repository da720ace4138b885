import { expect, it } from 'vitest';
import { buildFlow } from './build-flow.js';
import { flowFile } from './flow-file.js';

it('an inline text at the top of flow.yaml replaces no text of the same name', () => {
  const file = flowFile.parse({
    version: '1',
    start: 'first',
    exit: 'bye',
    interrupted: { en: 'Please type again.' },
    defaultLanguage: 'en',
    screens: { first: { lines: ['interrupted'] }, bye: { closes: 'true', lines: ['interrupted'] } },
  });
  const { flow } = buildFlow({ id: 'f', revision: '1', file, texts: { en: { interrupted: 'The service pauses.' } } });
  expect(flow.texts['en']).toMatchObject({ interrupted: 'The service pauses.' });
  expect(flow.texts['en']?.[flow.interrupted ?? '']).toBe('Please type again.');
});
