import { createLogger } from '@mlango/service-kit/logging';
import type { LeasedEffect } from '../../effects/effect.js';
import type { Act, Query } from '../../engine/flow.js';
import { HttpWebhooks } from './http-webhooks.js';
import { webhookOperation } from './webhook-operation.js';
import { webhooksText } from './webhook-settings.js';

export const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

export const gives = { paid: { reference: 12 }, refused: { why: 20 } };
export const payAct = webhookOperation({ webhook: 'money', is: 'act', sends: ['amount'], gives }, 'pay') as Act;
export const feeQuestion = webhookOperation(
  { webhook: 'money', is: 'question', sends: ['amount'], gives: { found: { fee: 8 } } },
  'fee',
) as Query;

const bills = { most: 2, items: { name: 8, amount: { as: 'amount' as const, longest: 6 } } };
export const billsQuestion = webhookOperation(
  { webhook: 'money', is: 'question', sends: [], gives: { found: { bills, owner: 8 } } },
  'findBills',
) as Query;

/** The webhook `money` at a loopback address. */
export function openWebhooks(url: string, more: object = {}, log: (line: string) => void = () => {}) {
  const settings = webhooksText.parse(JSON.stringify({ money: { url, secret, private: true, ...more } }));
  const results: string[] = [];
  const webhooks = new HttpWebhooks({
    settings,
    phoneKey: Buffer.alloc(32, 4),
    queryLimitMs: 5000,
    clock: Date.now,
    logger: createLogger({ service: 'test', level: 'trace', destination: { write: log } }),
    onCall: (webhook, result) => results.push(`${webhook} ${result}`),
  });
  return { webhooks, results };
}

export const request = {
  effect: 'webhook money',
  key: 'key-1',
  phoneNumber: '+260971230567',
  service: 'default',
  language: 'sw',
  account: undefined,
  entries: { amount: '250', other: 'x' },
  with: { plan: 'weekly' },
  secret: undefined,
};

/** A leased effect of the act. */
export function leasedPay(change: Partial<LeasedEffect> = {}): LeasedEffect {
  const position = { state: 'confirm', language: 'sw', choices: {}, page: 0 };
  const place = { flow: { id: 'default', version: 1 }, nonce: 'n', position, by: '1', call: payAct.call };
  const of = {
    key: 'key-1',
    effect: 'webhook money',
    sealedInput: 's',
    aggregator: 'canonical',
    phoneNumber: '+260971230567',
    send: undefined,
  };
  return { ...of, place, tries: 1, ageMs: 0, ...change };
}
