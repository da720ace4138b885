import { Facts, StatusBadge } from './parts/facts.js';
import { coinText, wordOf } from './parts/format.js';
import { ChainLink } from './parts/links.js';
import { Listing } from './parts/listing.js';
import { Single } from './parts/outcome.js';
import { paths } from './parts/paths.js';

interface Validator {
  readonly operator_address: string;
  readonly jailed: boolean;
  readonly status: string;
  readonly tokens: string;
  readonly description: { readonly moniker: string; readonly details: string } | null;
  readonly commission: { readonly commission_rates: { readonly rate: string } | null } | null;
}

const states = ['Bonded', 'Unbonding', 'Unbonded'];

export function ValidatorList() {
  return (
    <Listing<Validator>
      name="validators"
      path={paths.validators}
      rowsOf={({ validators }: { validators: readonly Validator[] }) => validators}
      idOf={({ operator_address: id }) => id}
      filters={[{ key: 'state', name: 'State', choices: states, holds: (one, wanted) => stateOf(one) === wanted }]}
      columns={[
        {
          name: 'Name',
          of: (one) => <ChainLink to={['validators', one.operator_address]}>{one.description?.moniker}</ChainLink>,
        },
        { name: 'State', of: (one) => <StatusBadge status={stateOf(one)} /> },
        { name: 'Tokens', of: ({ tokens }) => coinText({ denom: 'uixo', amount: tokens }) },
        { name: 'Commission', of: commissionOf },
        { name: 'Jailed', of: ({ jailed }) => (jailed ? 'Yes' : 'No') },
      ]}
    />
  );
}

export function ValidatorView({ id }: { readonly id: string }) {
  return (
    <Single kind="Validator" id={id} path={paths.validator(id)} list={['validators', 'validators']}>
      {({ validator }: { validator: Validator }) => (
        <article className="card stack">
          <div className="row">
            <h2>{validator.description?.moniker}</h2>
            <StatusBadge status={stateOf(validator)} />
            {validator.jailed ? <span className="badge bad">Jailed</span> : null}
          </div>
          <p>{validator.description?.details}</p>
          <Facts
            facts={[
              ['Address', <code key="address">{id}</code>],
              ['Tokens', coinText({ denom: 'uixo', amount: validator.tokens })],
              ['Commission', commissionOf(validator)],
            ]}
          />
        </article>
      )}
    </Single>
  );
}

function stateOf({ status }: Validator): string {
  return wordOf(status, 'BOND_STATUS_');
}

function commissionOf({ commission }: Validator): string {
  return `${Number(commission?.commission_rates?.rate ?? 0) * 100} %`;
}
