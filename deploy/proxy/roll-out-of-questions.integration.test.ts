import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postHop } from '../../services/ussd-gateway/test/support/service-process.js';
import { bothBuilds, canRollOut } from './both-builds.fixture.js';
import { oracleBuilds, oracleDid } from './oracle-builds.fixture.js';

const flows = fileURLToPath(new URL('../../examples/ask-by-phone/flows', import.meta.url));
const secret = () => randomBytes(32).toString('hex');

describe.skipIf(!canRollOut)('a question by phone', { timeout: 120_000 }, () => {
  let oracles: Awaited<ReturnType<typeof oracleBuilds>>;
  let gateways: Awaited<ReturnType<typeof bothBuilds>>;
  let asked: Awaited<ReturnType<typeof oracles.sideBySide>>;
  beforeAll(async () => {
    oracles = await oracleBuilds({});
    gateways = await bothBuilds('ussd-gateway', {
      PIN_ENCRYPTION_KEY: secret(),
      OPERATOR_TOKEN: secret(),
      METRICS_TOKEN: secret(),
      FLOWS_DIR: flows,
      ORACLE_DID: oracleDid,
      HOP_DEADLINE_MS: '30000',
    });
    asked = await oracles.sideBySide();
  });
  afterAll(async () => {
    await gateways.end();
    await oracles.end();
  });

  it('is answered, for any builds of the gateway and the oracle', async () => {
    for (const [index, { address }] of asked.entries()) {
      const two = await gateways.sideBySide({
        ORACLE_URL: `http://${address}`,
        AGGREGATOR_CANONICAL_CIDRS: '127.0.0.0/8',
      });
      for (const [place, gateway] of two.entries()) {
        // One phone, which is the same person there each time.
        const caller = { sessionId: `ask-${index}-${place}`, phoneNumber: '+260977000100' };
        const type = (text: string) => postHop(`http://${gateway.address}`, text, caller);
        await type('');
        await type('1');
        expect(await type('1*count to 3')).toContain('1 2 3');
      }
      await Promise.all(two.map((gateway) => gateway.stop()));
    }
  });
});
