import { decimal } from '../../data/amounts.js';
import { moduleAddress, validatorAddress } from '../../data/ledger/accounts.js';
import { jsonPage } from '../../serving/json-page.js';
import { type JsonServices, textOf } from '../../serving/json-service.js';
import { table } from '../../table.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Modules that tell little but how they are set: mint, slashing, params, consensus, upgrade, evidence. */
export function paramsServices(): JsonServices {
  const infos = [1, 2, 3, 4, 5].map((number) => ({
    address: validatorAddress(number, 'valcons'),
    start_height: '0',
    index_offset: '1000',
    jailed_until: number === 5 ? '2024-02-01T00:00:00Z' : '1970-01-01T00:00:00Z',
    missed_blocks_counter: number === 5 ? '501' : '0',
  }));
  const signing = table(infos, ({ address }) => address);
  const modules = ['auth', 'bank', 'gov', 'staking', 'wasm'].map((name) => ({ name, version: '4' }));
  return {
    'cosmos.mint.v1beta1.Query': {
      Params: {
        example: {},
        answer: () => ({
          params: {
            mint_denom: 'uixo',
            inflation_rate_change: decimal('0.13'),
            inflation_max: decimal('0.2'),
            inflation_min: decimal('0.07'),
            goal_bonded: decimal('0.67'),
            blocks_per_year: '5256000',
          },
        }),
      },
      // These are bytes that hold the text of a number.
      Inflation: { example: {}, answer: () => ({ inflation: base64(decimal('0.13')) }) },
      AnnualProvisions: { example: {}, answer: () => ({ annual_provisions: base64(decimal('1300000.5')) }) },
    },
    'cosmos.slashing.v1beta1.Query': {
      Params: {
        example: {},
        answer: () => ({
          params: {
            signed_blocks_window: '1000',
            min_signed_per_window: base64(decimal('0.5')),
            downtime_jail_duration: '600s',
            slash_fraction_double_sign: base64(decimal('0.05')),
            slash_fraction_downtime: base64(decimal('0.0001')),
          },
        }),
      },
      SigningInfo: {
        example: { cons_address: validatorAddress(1, 'valcons') },
        answer: (request) => ({ val_signing_info: signing.get(textOf(request, 'cons_address')) ?? null }),
      },
      SigningInfos: { example: {}, answer: (request) => jsonPage('info', signing, request) },
    },
    'cosmos.params.v1beta1.Query': {
      Params: {
        example: { subspace: 'staking', key: 'MaxValidators' },
        answer: ({ subspace = '', key = '' }) => ({
          param: { subspace, key, value: key === 'MaxValidators' ? '50' : '' },
        }),
      },
      Subspaces: { example: {}, answer: () => ({ subspaces: [{ subspace: 'staking', keys: ['MaxValidators'] }] }) },
    },
    'cosmos.consensus.v1.Query': {
      Params: {
        example: {},
        answer: () => ({
          params: {
            block: { max_bytes: '4194304', max_gas: '30000000' },
            evidence: { max_age_num_blocks: '302400', max_age_duration: '1814400s', max_bytes: '1048576' },
            validator: { pub_key_types: ['ed25519'] },
            version: {},
          },
        }),
      },
    },
    'cosmos.upgrade.v1beta1.Query': {
      CurrentPlan: { example: {}, answer: () => ({}) },
      AppliedPlan: { example: { name: 'v8' }, answer: ({ name }) => ({ height: name === 'v8' ? '1' : '0' }) },
      ModuleVersions: {
        example: {},
        answer: ({ module_name: wanted }) => ({
          module_versions: modules.filter(({ name }) => !wanted || name === wanted),
        }),
      },
      Authority: { example: {}, answer: () => ({ address: moduleAddress('gov') }) },
    },
    'cosmos.evidence.v1beta1.Query': {
      AllEvidence: { example: {}, answer: () => ({ evidence: [], pagination: { total: '0' } }) },
    },
  };
}
