import { expect, it } from 'vitest';
import { readConfig } from '../src/config.js';
import { runScript } from './service-process.fixture.js';

const apiKey = 'sk-secret-0123456789';

const incomplete: [Record<string, string>, string][] = [
  [{ LLM_API_KEY: apiKey }, 'LLM_BASE_URL'],
  [{ LLM_BASE_URL: 'https://llm.example/v1', LLM_API_KEY: apiKey }, 'LLM_MODEL'],
  [{ LLM_BASE_URL: `https://user:${apiKey}@llm.example/v1`, LLM_MODEL: 'big' }, 'LLM_BASE_URL'],
];

it.each(incomplete)('an incomplete model endpoint is refused, naming the variable and no key: %#', (env, variable) => {
  let message = '';
  try {
    readConfig(env);
  } catch (error) {
    message = String(error);
  }
  expect(message).toContain(`${variable}:`);
  expect(message).not.toContain(apiKey);
});

it('the service does not start with an incomplete model endpoint', { timeout: 60_000 }, async () => {
  const [[env, variable]] = incomplete.slice(-1) as [(typeof incomplete)[number]];
  const failure = await runScript('main', { DATA_DIR: 'memory://', PORT: '0', ...env }).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ code: 78, stderr: expect.stringContaining(`${variable}:`) });
  expect(JSON.stringify(failure)).not.toContain(apiKey);
});
