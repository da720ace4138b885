import { status } from '@grpc/grpc-js';
import { PageRequest } from '@mlango/proto/cosmos/base/query/v1beta1/pagination';
import type { Claim } from '@mlango/proto/ixo/claims/v1beta1/claim';
import { QueryService } from '@mlango/proto/ixo/claims/v1beta1/query';
import { describe, expect, it } from 'vitest';
import { call, nodeOfFile, reply } from '../../test/call.js';

const { client } = await nodeOfFile();

const first = { pagination: PageRequest.fromPartial({ limit: '1' }) };

describe('records', () => {
  it('returns its parameters, with fees times 10^18', async () => {
    const { params } = await reply(client, QueryService.params, {});
    expect(params?.network_fee_percentage).toBe('10000000000000000000');
    expect(params?.node_fee_percentage).toBe('2500000000000000000');
  });

  it('returns a collection by its number', async () => {
    const { collection } = await reply(client, QueryService.collection, { id: '1' });
    expect(collection).toMatchObject({ id: '1', entity: 'did:ixo:entity:e0003' });
    expect(collection?.min_deposit_period).toBeDefined();
  });

  it('returns the claim, dispute and intent of a list', async () => {
    const listed = (await reply(client, QueryService.claimList, first)).claims[0];
    expect((await reply(client, QueryService.claim, { id: listed?.claim_id ?? '' })).claim).toEqual(listed);

    const dispute = (await reply(client, QueryService.disputeList, first)).disputes[0];
    expect((await reply(client, QueryService.dispute, { proof: dispute?.data?.proof ?? '' })).dispute).toEqual(dispute);

    const intent = (await reply(client, QueryService.intentList, first)).intents[0];
    const key = {
      id: intent?.id ?? '',
      agentAddress: intent?.agent_address ?? '',
      collectionId: intent?.collection_id ?? '',
    };
    expect((await reply(client, QueryService.intent, key)).intent).toEqual(intent);
  });

  it('returns the disputes of a claim, all or by role', async () => {
    const { disputes } = await reply(client, QueryService.disputeList, { pagination: undefined });
    const subjects = disputes.map((dispute) => dispute.subject_id);
    const subjectId = subjects.find((subject, index) => subjects.indexOf(subject) !== index) ?? '';
    const of = await reply(client, QueryService.disputeListForSubject, { subjectId });
    expect(of.disputes.map((dispute) => dispute.target_role)).toEqual([1, 2]);
    expect((await reply(client, QueryService.disputeBySubject, { subjectId, targetRole: 2 })).dispute).toEqual(
      of.disputes[1],
    );
    expect((await reply(client, QueryService.disputeListForSubject, { subjectId: 'none' })).disputes).toEqual([]);
  });

  it('returns the budget and deposit of one participant', async () => {
    const collectionId = '1';
    const budget = (await reply(client, QueryService.collectionMemberList, { collectionId, ...first }))
      .member_budgets[0];
    const memberAddress = budget?.member_address ?? '';
    expect((await reply(client, QueryService.collectionMember, { collectionId, memberAddress })).member_budget).toEqual(
      budget,
    );

    const deposit = (await reply(client, QueryService.agentDepositBalanceList, { collectionId, ...first })).balances[0];
    const agentAddress = deposit?.agent_address ?? '';
    expect((await reply(client, QueryService.agentDepositBalance, { collectionId, agentAddress })).balance).toEqual(
      deposit,
    );
  });
});

describe('lists', () => {
  it('paging all claims by key returns each of the 1,000 once', async () => {
    const seen: Claim[] = [];
    let key = Buffer.alloc(0);
    do {
      const page = await reply(client, QueryService.claimList, {
        pagination: PageRequest.fromPartial({ key, limit: '300' }),
      });
      seen.push(...page.claims);
      key = Buffer.from(page.pagination?.next_key ?? []);
    } while (key.length > 0);
    expect(new Set(seen.map((claim) => claim.claim_id)).size).toBe(1_000);
    expect(seen).toHaveLength(1_000);
  });

  it('orders collections by their id as text', async () => {
    const { collections } = await reply(client, QueryService.collectionList, { pagination: undefined });
    expect(collections.map((collection) => collection.id)).toEqual('1 10 11 12 2 3 4 5 6 7 8 9'.split(' '));
  });

  it('counts members and deposits by collection; an unknown one has none', async () => {
    const members = async (collectionId: string) =>
      (await reply(client, QueryService.collectionMemberList, { collectionId, pagination: undefined })).pagination
        ?.total;
    expect([await members('1'), await members('2'), await members('12'), await members('99')]).toEqual([
      '40',
      '15',
      '0',
      '0',
    ]);
    const deposits = await reply(client, QueryService.agentDepositBalanceList, {
      collectionId: '3',
      pagination: undefined,
    });
    expect(deposits.balances).toHaveLength(1);
  });
});

describe('absent records', () => {
  it('is UNKNOWN with the code of the module', async () => {
    const none = 'none';
    const outcomes = [
      await call(client, QueryService.collection, { id: none }),
      await call(client, QueryService.claim, { id: none }),
      await call(client, QueryService.dispute, { proof: none }),
      await call(client, QueryService.intent, { id: none, agentAddress: none, collectionId: none }),
      await call(client, QueryService.collectionMember, { collectionId: none, memberAddress: none }),
      await call(client, QueryService.agentDepositBalance, { collectionId: none, agentAddress: none }),
      await call(client, QueryService.disputeBySubject, { subjectId: none, targetRole: 1 }),
    ];
    expect(new Set(outcomes.map((outcome) => outcome.error?.code))).toEqual(new Set([status.UNKNOWN]));
    expect(outcomes.map((outcome) => outcome.error?.details.split(':')[0])).toEqual(
      [1001, 1100, 1200, 1500, 1800, 1901, 1910].map((code) => `codespace claims code ${code}`),
    );
    expect(outcomes[1]?.error?.details).toBe('codespace claims code 1100: claim not found');
  });

  it('is INVALID_ARGUMENT without an id', async () => {
    const outcomes = [
      await call(client, QueryService.collection, { id: '' }),
      await call(client, QueryService.claim, { id: '' }),
      await call(client, QueryService.dispute, { proof: '' }),
      await call(client, QueryService.intent, { id: '1', agentAddress: '', collectionId: '1' }),
      await call(client, QueryService.collectionMember, { collectionId: '1', memberAddress: '' }),
      await call(client, QueryService.collectionMemberList, { collectionId: '', pagination: undefined }),
      await call(client, QueryService.agentDepositBalance, { collectionId: '1', agentAddress: '' }),
      await call(client, QueryService.agentDepositBalanceList, { collectionId: '', pagination: undefined }),
      await call(client, QueryService.disputeBySubject, { subjectId: '', targetRole: 1 }),
      await call(client, QueryService.disputeListForSubject, { subjectId: '' }),
    ];
    expect(outcomes.map((outcome) => outcome.error?.details)).toEqual(Array(10).fill('invalid request'));
  });
});
