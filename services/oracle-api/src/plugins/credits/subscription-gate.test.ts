import { createLogger } from '@mlango/service-kit/logging';
import { describe, expect, it } from 'vitest';
import { openTestStores } from '../../../test/stores.fixture.js';
import type { CreditLedger } from './credit-ledger.js';

import { creditSettings } from './settings.js';
import type { Standing } from './subscription-api.js';
import { freshMs, staleMs, subscriptionGate } from './subscription-gate.js';

const SUBSCRIPTION_URL = 'https://subscriptions.example';

describe('while the subscription API is unavailable', () => {
  it.each(['refuse', 'answer'])(
    'recently granted access stays valid, and other users are refused unless the setting permits them: %s',
    async (away) => {
      let nowMs = 0;
      let standing: Standing = { kind: 'active' };
      const { openTables } = await openTestStores();
      const gate = subscriptionGate(
        { standingOf: async () => standing },
        {
          own: openTables('credits') as CreditLedger,
          config: creditSettings.parse({ SUBSCRIPTION_URL, SUBSCRIPTION_AWAY: away }),
          newId: () => 'id',
          now: () => new Date(nowMs),
          logger: createLogger({ service: 'test', level: 'silent' }),
        },
      );
      const ask = (ownerDid: string) => gate.demandOf({ ownerDid, sessionId: 's', runId: 'r' });
      expect(await ask('asha')).toBeUndefined();
      standing = { kind: 'unavailable', cause: new Error('no route') };
      nowMs = freshMs;
      expect(await ask('asha')).toBeUndefined();
      const sendAsUnknown = async (ownerDid: string) =>
        away === 'answer'
          ? expect(await ask(ownerDid)).toBeUndefined()
          : expect(ask(ownerDid)).rejects.toThrow('cannot be checked');
      await sendAsUnknown('bo');
      nowMs = staleMs;
      await sendAsUnknown('asha');
      standing = { kind: 'inactive', claims: ['c1'] };
      expect(await ask('asha')).toMatchObject({ claims: ['c1'] });
      standing = { kind: 'unavailable', cause: new Error('no route') };
      await sendAsUnknown('asha');
    },
  );
});
