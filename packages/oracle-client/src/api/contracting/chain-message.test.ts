import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz';
import { MsgExec, MsgGrant } from 'cosmjs-types/cosmos/authz/v1beta1/tx';
import { SendAuthorization } from 'cosmjs-types/cosmos/bank/v1beta1/authz';
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import { describe, expect, it } from 'vitest';
import { approveClaim, grantAnything, grantSending, sendCoins } from './chain-message.js';
import { contractMessages } from './contract.js';

const grant = { granter: 'ixo1user', grantee: 'ixo1oracle', expiresAt: new Date(1_800_000_000_500) };
const price = { denom: 'uixo', amount: '12345678901234567890' };
const plain = (value: object) => value;
/** Messages encoded by a wallet registry and decoded as the chain does. */
const sent = (value: object) => MsgGrant.decode(MsgGrant.encode(MsgGrant.fromPartial(value)).finish());

describe('a grant, as libraries of wallets encode it', () => {
  it('of payments has a limit, and one receiver', () => {
    const { granter, grantee, grant: given } = sent(grantSending(grant, [price], ['ixo1oracle']).value);
    expect([granter, grantee, given?.expiration]).toEqual([
      'ixo1user',
      'ixo1oracle',
      { seconds: 1_800_000_000n, nanos: 0 },
    ]);
    expect(given?.authorization?.typeUrl).toBe(SendAuthorization.typeUrl);
    expect(SendAuthorization.decode(given?.authorization?.value ?? new Uint8Array())).toEqual({
      spendLimit: [price],
      allowList: ['ixo1oracle'],
    });
  });

  it('of a type of message names it', () => {
    const { grant: given } = sent(grantAnything(grant, '/ixo.claims.v1beta1.MsgSubmitClaim').value);
    expect(given?.authorization?.typeUrl).toBe(GenericAuthorization.typeUrl);
    expect(GenericAuthorization.decode(given?.authorization?.value ?? new Uint8Array())).toEqual({
      msg: '/ixo.claims.v1beta1.MsgSubmitClaim',
    });
  });
});

describe('a payment', () => {
  it('is sent from the user to the oracle', () => {
    const { typeUrl, value } = sendCoins('ixo1user', 'ixo1oracle', [price]);
    expect(typeUrl).toBe(MsgSend.typeUrl);
    expect(MsgSend.fromPartial(plain(value))).toEqual({
      fromAddress: 'ixo1user',
      toAddress: 'ixo1oracle',
      amount: [price],
    });
  });

  it('of a claim approves it, byte for byte as the client of the chain does', () => {
    const { value } = approveClaim({
      claimId: 'claim-1',
      collectionId: '7',
      adminAddress: 'ixo1admin',
      payerAddress: 'ixo1user',
      payerDid: 'did:ixo:ixo1user',
      verificationProof: 'bafy',
    });
    const { grantee, msgs } = MsgExec.fromPartial(plain(value));
    expect([grantee, msgs[0]?.typeUrl]).toEqual(['ixo1user', '/ixo.claims.v1beta1.MsgEvaluateClaim']);
    expect(Buffer.from(msgs[0]?.value ?? []).toString('hex')).toBe(
      '0a07636c61696d2d311201371a106469643a69786f3a69786f317573657222106469643a69786f3a69786f31757365722a' +
        '0869786f3175736572320969786f3161646d696e380140014a0462616679',
    );
  });
});

describe('a contract', () => {
  const contract = { ...grant, spendLimit: [price], requiredPermissions: [], allowedPermissions: [], fee: [] };
  const typesOf = (more: Partial<Parameters<typeof contractMessages>[0]>) =>
    contractMessages({ ...contract, ...more }).map(({ typeUrl }) => typeUrl.split('.').at(-1));

  it('grants payments, and pays if there is a fee', () => {
    expect(typesOf({ requiredPermissions: ['/cosmos.bank.v1beta1.MsgSend'] })).toEqual(['MsgGrant']);
    expect(typesOf({ fee: [price] })).toEqual(['MsgGrant', 'MsgSend']);
    expect(typesOf({ spendLimit: [] })).toEqual([]);
  });

  it('grants nothing beyond payments that the user has not agreed to', () => {
    const requiredPermissions = ['/ixo.entity.v1beta1.MsgTransferEntity', '/ixo.entity.v1beta1.MsgTransferEntity'];
    expect(() => typesOf({ requiredPermissions })).toThrow('MsgTransferEntity');
    expect(typesOf({ requiredPermissions, allowedPermissions: requiredPermissions })).toEqual(['MsgGrant', 'MsgGrant']);
  });
});
