import { createInterface } from 'node:readline';
import { createTestOracle } from '@mlango/oracle-api/testing';

// The real service with a clock that each input line moves ahead, in ms.
const realNow = Date.now;
let aheadMs = 0;
Date.now = () => realNow() + aheadMs;
createInterface(process.stdin).on('line', (ms) => {
  aheadMs += Number(ms);
});

const oracle = await createTestOracle();
const baseUrl = await oracle.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ baseUrl, oracleDid: oracle.oracle.did })}\n`);
