import type { JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { decimal } from '../../data/amounts.js';
import { moduleAddress, TEST_WALLET } from '../../data/ledger/accounts.js';
import type { Ledger } from '../../data/ledger/ledger.js';
import { jsonPage } from '../../serving/json-page.js';
import { type JsonQuery, type JsonServices, textOf } from '../../serving/json-service.js';
import { StatusError } from '../../status-error.js';
import { table } from '../../table.js';

const STATUSES = ['PROPOSAL_STATUS_PASSED', 'PROPOSAL_STATUS_VOTING_PERIOD', 'PROPOSAL_STATUS_DEPOSIT_PERIOD'];
const DEPOSIT = [{ denom: 'uixo', amount: '10000000' }];
const SHARES = { quorum: '0.334', threshold: '0.5', veto_threshold: '0.334' };
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Three proposals: passed, being voted on, waiting for its deposit. The newer version and the older tell of the same. */
export function govServices({ everybody }: Ledger): JsonServices {
  const voters = everybody.slice(0, 12).map(({ address }) => address);
  const shared = STATUSES.map((state, index) => ({
    status: state,
    submit_time: '2024-03-01T00:00:00Z',
    deposit_end_time: '2024-03-15T00:00:00Z',
    total_deposit: DEPOSIT,
    voting_start_time: index === 2 ? null : '2024-03-02T00:00:00Z',
    voting_end_time: index === 2 ? null : '2024-03-09T00:00:00.5Z',
  }));
  const newer = shared.map((proposal, index) => ({
    ...proposal,
    id: String(index + 1),
    title: `Proposal ${index + 1}`,
    summary: 'Pays for a year of upkeep.',
    proposer: TEST_WALLET,
    final_tally_result: tally(index, '_count'),
    messages: [
      {
        '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
        authority: moduleAddress('gov'),
        recipient: TEST_WALLET,
        amount: DEPOSIT,
      },
    ],
  }));
  const older = shared.map((proposal, index) => ({
    ...proposal,
    proposal_id: String(index + 1),
    content: { '@type': '/cosmos.gov.v1beta1.TextProposal', title: `Proposal ${index + 1}`, description: 'Says so.' },
    final_tally_result: tally(index, ''),
  }));
  const vote = (id: string, voter: string, weight: string) => ({
    proposal_id: id,
    voter,
    options: [{ option: 'VOTE_OPTION_YES', weight }],
  });
  return {
    'cosmos.gov.v1.Query': {
      ...proposalQueries(newer, 'id', voters, (id, voter) => vote(id, voter, '1.000000000000000000'), '_count'),
      Constitution: { example: {}, answer: () => ({ constitution: '' }) },
      Params: {
        example: { params_type: 'tallying' },
        answer: () => {
          const shares = Object.fromEntries(
            Object.entries(SHARES).map(([name, share]) => [name, share.padEnd(20, '0')]),
          );
          const times = { max_deposit_period: '1209600s', voting_period: '604800s' };
          return {
            voting_params: { voting_period: '604800s' },
            deposit_params: { min_deposit: DEPOSIT, max_deposit_period: '1209600s' },
            tally_params: shares,
            params: { ...shares, ...times, min_deposit: DEPOSIT, burn_vote_veto: true },
          };
        },
      },
    },
    'cosmos.gov.v1beta1.Query': {
      ...proposalQueries(older, 'proposal_id', voters, (id, voter) => vote(id, voter, decimal('1')), ''),
      Params: {
        example: { params_type: 'tallying' },
        answer: () => ({
          voting_params: { voting_period: '604800s' },
          deposit_params: { min_deposit: DEPOSIT, max_deposit_period: '1209600s' },
          tally_params: Object.fromEntries(
            Object.entries(SHARES).map(([name, share]) => [name, base64(decimal(share))]),
          ),
        }),
      },
    },
  };
}

/** What both versions answer, but for the names they have for it. */
function proposalQueries(
  proposals: readonly JsonObject[],
  idName: string,
  voters: readonly string[],
  vote: (id: string, voter: string) => JsonObject,
  suffix: string,
): Record<string, JsonQuery> {
  const find = (request: JsonObject): JsonObject => {
    const id = textOf(request, 'proposal_id');
    const proposal = proposals.find((each) => each[idName] === id);
    if (proposal === undefined) throw new StatusError(status.NOT_FOUND, `proposal ${id} doesn't exist`);
    return proposal;
  };
  const ofOne = { proposal_id: '2' };
  const deposit = (id: string) => ({ proposal_id: id, depositor: TEST_WALLET, amount: DEPOSIT });
  const idOf = (request: JsonObject) => textOf(find(request), idName);
  return {
    Proposal: { example: ofOne, answer: (request) => ({ proposal: find(request) }) },
    Proposals: {
      example: {},
      answer: (request) => {
        const wanted = textOf(request, 'proposal_status');
        const isAny = wanted === '' || wanted === 'PROPOSAL_STATUS_UNSPECIFIED';
        const list = proposals.filter((each) => isAny || each['status'] === wanted);
        return jsonPage(
          'proposals',
          table(list, (each) => textOf(each, idName)),
          request,
        );
      },
    },
    Vote: {
      example: { ...ofOne, voter: voters[0] ?? '' },
      answer: (request) => {
        const voter = textOf(request, 'voter');
        if (!voters.includes(voter)) {
          throw new StatusError(status.INVALID_ARGUMENT, `voter: ${voter} not found for proposal: ${idOf(request)}`);
        }
        return { vote: vote(idOf(request), voter) };
      },
    },
    Votes: {
      example: ofOne,
      answer: (request) => {
        const list = voters.map((voter) => vote(idOf(request), voter));
        return jsonPage(
          'votes',
          table(list, (each) => textOf(each, 'voter')),
          request,
        );
      },
    },
    Deposit: {
      example: { ...ofOne, depositor: TEST_WALLET },
      answer: (request) => ({ deposit: deposit(idOf(request)) }),
    },
    Deposits: {
      example: ofOne,
      answer: (request) =>
        jsonPage(
          'deposits',
          table([deposit(idOf(request))], () => TEST_WALLET),
          request,
        ),
    },
    TallyResult: {
      example: ofOne,
      answer: (request) => ({ tally: tally(Number(idOf(request)) - 1, suffix) }),
    },
  };
}

function tally(index: number, suffix: string): JsonObject {
  const yes = ['700000000', '120000000', '0'][index] ?? '0';
  const no = index === 0 ? '1000000' : '0';
  return {
    [`yes${suffix}`]: yes,
    [`abstain${suffix}`]: '0',
    [`no${suffix}`]: no,
    [`no_with_veto${suffix}`]: '0',
  };
}
