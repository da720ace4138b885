import { createTestOracle } from '@mlango/oracle-api/testing';
import { rehearsalPlugin } from './rehearsal-plugin.fixture.js';

// The real service in its own process, so that the test's globals do not affect it.
const env = Object.fromEntries(process.argv.slice(2).map((setting) => setting.split('=', 2) as [string, string]));
const oracle = await createTestOracle({ plugins: [rehearsalPlugin()], env });
const baseUrl = await oracle.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ baseUrl, oracleDid: oracle.oracle.did })}\n`);
