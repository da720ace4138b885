import { createTestOracle } from '@mlango/oracle-api/testing';
import { rehearsalPlugin } from './rehearsal-plugin.fixture.js';

/** Starts an oracle with the rehearsal plugin and returns its address. */
async function start(env: Readonly<Record<string, string>>) {
  const oracle = await createTestOracle({ plugins: [rehearsalPlugin()], env });
  const baseUrl = await oracle.listen({ host: '127.0.0.1', port: 0 });
  return { baseUrl, oracleDid: oracle.oracle.did };
}

// The real service in its own process, so that the test's globals do not affect it.
const oracles = {
  oracle: await start({ DOORS: 'ai-sdk' }),
  // No model is called: the rehearsal plugin answers.
  oracleWithModels: await start({
    LLM_BASE_URL: 'http://127.0.0.1:1/v1',
    LLM_MODEL: 'small',
    LLM_MODELS: 'small,large',
  }),
  oracleWithQueue: await start({ RUN_CONFLICT: 'enqueue', RUN_QUEUE_PER_SESSION: '1' }),
};
process.stdout.write(`${JSON.stringify(oracles)}\n`);
