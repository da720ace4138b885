import { beforeAll, describe, expect, it } from 'vitest';
import { CHAIN_ID, gatewayOfWallets, MNEMONIC, WALLET } from './gateway-of-wallets.fixture.js';
import { type Calls, heavyClient } from './heavy-client.fixture.js';

type Apis = 'auth' | 'bank' | 'distribution' | 'gov' | 'mint' | 'staking' | 'tendermint' | 'tx';

interface Feather {
  readonly LCDClient: new (chains: Record<string, unknown>) => Record<Apis, Calls> & { wallet(key: unknown): Calls };
  readonly MnemonicKey: new (of: { readonly mnemonic: string; readonly coinType: number }) => unknown;
  readonly MsgSend: new (from: string, to: string, coins: Record<string, number>) => unknown;
}

const feather = heavyClient<Feather>('@terra-money/feather.js');

describe.skipIf(feather === undefined)('@terra-money/feather.js', () => {
  const { url } = gatewayOfWallets();
  let MnemonicKey: Feather['MnemonicKey'];
  let MsgSend: Feather['MsgSend'];
  let lcd: InstanceType<Feather['LCDClient']>;
  beforeAll(() => {
    const { LCDClient, ...rest } = feather as Feather;
    ({ MnemonicKey, MsgSend } = rest);
    const gas = { gasAdjustment: 1.5, gasPrices: { uixo: 0.02 } };
    lcd = new LCDClient({ [CHAIN_ID]: { lcd: url(), chainID: CHAIN_ID, prefix: 'ixo', ...gas } });
  });
  const shown = (value: unknown): string => JSON.stringify(value).replaceAll('\\', '');

  it('reads balances and accounts', async () => {
    expect(shown(await lcd.bank['balance']?.(WALLET))).toContain('{"amount":"1000000000","denom":"uixo"}');
    expect(await lcd.auth['accountInfo']?.(WALLET)).toMatchObject({ address: WALLET, account_number: 1 });
  });

  it('reads delegations and rewards', async () => {
    expect(await lcd.staking['validators']?.(CHAIN_ID)).toMatchObject([{ length: 5 }, {}]);
    expect(await lcd.staking['delegations']?.(WALLET)).toMatchObject([{ length: 2 }, {}]);
    expect(shown(await lcd.distribution['rewards']?.(WALLET))).toMatch(/"amount":"\d+\.\d{18}","denom":"uixo"/);
    expect(shown(await lcd.mint['inflation']?.(CHAIN_ID))).toBe('"0.13"');
  });

  it('reads proposals, votes and governance parameters', async () => {
    expect(await lcd.gov['proposals']?.(CHAIN_ID)).toMatchObject({ proposals: { length: 3 } });
    expect(shown(await lcd.gov['tally']?.(CHAIN_ID, 2))).toContain('120000000');
    expect(shown(await lcd.gov['votes']?.(CHAIN_ID, 2))).toContain('"voter":"ixo1');
    expect(shown(await lcd.gov['params']?.(CHAIN_ID))).toContain('"voting_period":"604800s"');
  });

  it('reads the chain id and blocks', async () => {
    expect(await lcd.tendermint['nodeInfo']?.(CHAIN_ID)).toMatchObject({ default_node_info: { network: CHAIN_ID } });
    const block = await lcd.tendermint['blockInfo']?.(CHAIN_ID, 2);
    expect(block).toMatchObject({ block: { header: { height: '2' } } });
  });

  it('reads a transaction with an event that is not UTF-8', async () => {
    const wallet = lcd.wallet(new MnemonicKey({ mnemonic: MNEMONIC, coinType: 118 }));
    const msgs = [new MsgSend(WALLET, WALLET, { uixo: 2 })];
    const signed = await wallet['createAndSignTx']?.({ msgs, chainID: CHAIN_ID, memo: 'not-utf8' });
    const sent = (await lcd.tx['broadcast']?.(signed, CHAIN_ID)) as { txhash: string };
    expect(shown(await lcd.tx['txInfo']?.(sent.txhash, CHAIN_ID))).toContain('\ufffd');
  });

  it('simulates, signs, broadcasts, and finds the transaction by its hash and its height', async () => {
    const wallet = lcd.wallet(new MnemonicKey({ mnemonic: MNEMONIC, coinType: 118 }));
    const msgs = [new MsgSend(WALLET, WALLET, { uixo: 1 })];
    const signed = await wallet['createAndSignTx']?.({ msgs, chainID: CHAIN_ID });
    const sent = (await lcd.tx['broadcast']?.(signed, CHAIN_ID)) as { txhash: string; height: number };
    expect(sent).toMatchObject({ gas_used: 81_234, gas_wanted: 121_851 });
    expect(await lcd.tx['txInfo']?.(sent.txhash, CHAIN_ID)).toMatchObject({ height: sent.height, code: 0 });
    expect(await lcd.tx['txInfosByHeight']?.(CHAIN_ID, 2)).toMatchObject([{ height: 2 }]);
  });
});
