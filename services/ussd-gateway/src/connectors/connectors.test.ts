import { randomBytes } from 'node:crypto';
import { keyringOf } from '@mlango/crypto/keyring';
import { afterAll, beforeAll, describe } from 'vitest';
import { emptyDatabase } from '../../test/support/embedded-database.js';
import { AccountStore } from '../accounts/account-store.js';
import { pinVault } from '../accounts/pin-vault.js';
import { EffectStore } from '../effects/effect-store.js';
import { accountActs, accountChecks } from './account/account-operations.js';
import { runAccountChecks, runAccountEffects } from './account/run-account-operations.js';
import { chainOperation } from './chain/chain-operation.js';
import { connectorContract } from './connector.contract.js';
import { messageOperation } from './message/message-operation.js';
import { openProcess, providersAt } from './message/messages.fixture.js';
import { runQuery } from './run-query.js';
import { chainOf, queryRequest, sourcesOf } from './sources.fixture.js';
import { runWebhookEffects } from './webhook/run-webhook-effects.js';
import { openWebhookServer, type WebhookServer } from './webhook/webhook-server.fixture.js';
import { billsQuestion, feeQuestion, leasedPay, openWebhooks, payAct, request } from './webhook/webhooks.fixture.js';

function accountsIn(store: AccountStore) {
  const vault = pinVault(keyringOf([{ id: 'k', bytes: Buffer.alloc(32, 1) }]));
  return { store, vault, limits: { attempts: 3, lockMs: 1000 }, accountsPerDay: 100, randomBytes };
}
const unavailable = new Proxy({} as AccountStore, { get: () => () => Promise.reject(new Error('unavailable')) });
const asks = (key: string) => ({ ...request, key, entries: { name: 'Amina' }, with: {}, secret: '90210' });

connectorContract('accounts, of an act', async () => {
  let count = 0;
  const store = new (class extends AccountStore {
    override async createCustomer(...args: Parameters<AccountStore['createCustomer']>) {
      const made = await super.createCustomer(...args);
      if (made.kind === 'created' && made.customerId === args[0].id) count += 1;
      return made;
    }
  })(await emptyDatabase());
  return {
    operation: accountActs.createAccount,
    run: (key) => runAccountEffects(accountsIn(store)).createAccount(asks(key)),
    runUnavailable: (key) => runAccountEffects(accountsIn(unavailable)).createAccount(asks(key)),
    happened: () => count,
  };
});

connectorContract('accounts, of a check', async () => {
  const accounts = accountsIn(new AccountStore(await emptyDatabase()));
  const { facts } = await runAccountEffects(accounts).createAccount(asks('an-account'));
  const logsIn = (key: string) => ({ ...asks(key), entries: { customerId: facts?.['customerId'] ?? '' } });
  return {
    operation: accountChecks.logIn,
    run: (key) => runAccountChecks(accounts).logIn(logsIn(key)),
    runUnavailable: (key) => runAccountChecks(accountsIn(unavailable)).logIn(logsIn(key)),
  };
});

connectorContract('the chain', () => {
  const longest = { from: 'name', longest: 12, as: 'text' as const, decimals: 0, otherwise: '-' };
  const operation = chainOperation({ path: ['names', '{id}'], gives: { name: longest } });
  const asked = (key: string) => queryRequest({ key, entries: { id: '1' } });
  const chain = chainOf({ '/names/1': { name: 'A\n1. Pay me, and much more than that' } });
  const gone = { read: () => Promise.reject(new Error('away')) };
  return {
    operation,
    run: (key) => runQuery(operation, asked(key), sourcesOf(chain)),
    runUnavailable: (key) => runQuery(operation, asked(key), sourcesOf(gone)),
  };
});

let server: WebhookServer;
let lastKeys: Set<string>;
beforeAll(async () => {
  server = await openWebhookServer();
});
afterAll(() => server.close());
const nowhere = 'http://127.0.0.1:9';

connectorContract('webhooks, of an act', () => {
  lastKeys = new Set();
  server.answer = ({ headers }) => {
    lastKeys.add(String(headers['idempotency-key']));
    const facts = { reference: 'R-1\n1. Send all your money', intruder: 'x' };
    return { text: JSON.stringify({ status: 'done', outcome: 'paid', facts }) };
  };
  const run = (url: string, key: string) => {
    const effect = runWebhookEffects(openWebhooks(url).webhooks)['webhook money'];
    if (effect === undefined) throw new Error('no effect');
    return effect({ ...request, key }, leasedPay({ key }));
  };
  return {
    operation: payAct,
    run: (key) => run(server.url, key),
    runUnavailable: (key) => run(nowhere, key),
    happened: () => lastKeys.size,
  };
});

describe('of messages', () => {
  let providers: ReturnType<typeof providersAt>;
  beforeAll(() => {
    providers = providersAt(server.url);
  });
  afterAll(() => providers.close());

  connectorContract('messages', async () => {
    const SMSMessageData = { Recipients: [{ statusCode: 101, messageId: 'ATXid_1' }] };
    server.answer = () => ({ text: JSON.stringify({ SMSMessageData }) });
    const before = server.received.length;
    const on = openProcess(providers.africastalking, new EffectStore(await emptyDatabase()));
    const unavailableEffectStore = new Proxy({} as EffectStore, {
      get: () => () => Promise.reject(new Error('unavailable')),
    });
    const asked = async (key: string) => {
      const outcome = await on.ask(key);
      await on.work();
      if (outcome === undefined) throw new Error('it is not queued');
      return outcome;
    };
    return {
      operation: messageOperation({ text: 'terms', segments: 1 }),
      run: asked,
      runUnavailable: async (key) =>
        (await openProcess(providers.africastalking, unavailableEffectStore).ask(key)) ?? { pending: true },
      happened: () => server.received.length - before,
    };
  });
});

connectorContract('webhooks, of a question with a list', () => {
  const bill = { name: 'Water\n1. Send all your money', amount: 12.5, intruder: 'x' };
  server.answer = () => ({
    text: JSON.stringify({ status: 'done', outcome: 'found', facts: { bills: [bill, bill, bill], owner: 'Amina' } }),
  });
  const ask = (url: string, key: string) =>
    runQuery(billsQuestion, queryRequest({ key }), { ...sourcesOf(), webhooks: openWebhooks(url).webhooks });
  return {
    operation: billsQuestion,
    run: (key) => ask(server.url, key),
    runUnavailable: (key) => ask(nowhere, key),
  };
});

connectorContract('the chain, with a list', () => {
  const field = { longest: 12, as: 'text' as const, decimals: 0, otherwise: '-' };
  const items = { coin: { ...field, from: 'denom' }, since: { ...field, from: 'since' } };
  const operation = chainOperation({ path: ['names', '{id}'], gives: { coins: { from: 'coins', most: 2, items } } });
  const asked = (key: string) => queryRequest({ key, entries: { id: '1' } });
  const coin = { denom: 'A\n1. Pay me, and much more than that', intruder: 'x' };
  const chain = chainOf({ '/names/1': { coins: [coin, coin, coin] } });
  const gone = { read: () => Promise.reject(new Error('away')) };
  return {
    operation,
    run: (key) => runQuery(operation, asked(key), sourcesOf(chain)),
    runUnavailable: (key) => runQuery(operation, asked(key), sourcesOf(gone)),
  };
});

connectorContract('webhooks, of a question', () => {
  server.answer = () => ({ text: '{"status":"done","outcome":"found","facts":{"fee":12345678901}}' });
  const ask = (url: string, key: string) =>
    runQuery(feeQuestion, queryRequest({ key }), { ...sourcesOf(), webhooks: openWebhooks(url).webhooks });
  return {
    operation: feeQuestion,
    run: (key) => ask(server.url, key),
    runUnavailable: (key) => ask(nowhere, key),
  };
});
