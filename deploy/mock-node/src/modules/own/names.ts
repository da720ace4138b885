import type { JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { GENESIS_MS } from '../../chain-clock.js';
import { makeAgents } from '../../data/agents.js';
import { address } from '../../data/identifiers.js';
import { jsonPage } from '../../serving/json-page.js';
import { type JsonServices, textOf } from '../../serving/json-service.js';
import { StatusError } from '../../status-error.js';
import { table } from '../../table.js';

const NAMESPACE: JsonObject = {
  name: 'people',
  description: 'Names of the people of this chain.',
  registrar_accounts: [address('registrar')],
  allow_self_register: true,
  allow_registrar_override: false,
  min_length: 3,
  max_length: 32,
  regex: '^[a-z0-9-]+$',
  allow_expiry: false,
};
const GENESIS_SECONDS = String(GENESIS_MS / 1000);

/** One namespace, in which everybody has a name. */
export function namesService(): JsonServices {
  const agents = makeAgents();
  const records = agents.map(
    ({ name, did }): JsonObject => ({
      namespace: 'people',
      normalized_name: name,
      display_name: name.replace('agent', 'Agent'),
      owner_did: did,
      verified: true,
      status: 'NAME_STATUS_ACTIVE',
      verified_by: address('registrar'),
      source: 'registrar',
      created_at: GENESIS_SECONDS,
      updated_at: GENESIS_SECONDS,
    }),
  );
  const find = (request: JsonObject, field: string) => {
    const name = textOf(request, field).toLowerCase();
    const record = records.find((each) => each['normalized_name'] === name);
    if (record === undefined || textOf(request, 'namespace') !== 'people') {
      throw new StatusError(status.NOT_FOUND, `name ${name} not found`);
    }
    return { record };
  };
  const page = (request: JsonObject, isMeant: (record: JsonObject) => boolean) =>
    jsonPage(
      'records',
      table(records.filter(isMeant), (record) => textOf(record, 'normalized_name')),
      request,
    );
  const [first] = agents;
  return {
    'ixo.names.v1beta1.Query': {
      Namespace: {
        example: { name: 'people' },
        answer: (request) => {
          if (textOf(request, 'name') !== 'people') throw new StatusError(status.NOT_FOUND, 'namespace not found');
          return { namespace: NAMESPACE };
        },
      },
      Namespaces: {
        example: {},
        answer: (request) =>
          jsonPage(
            'namespaces',
            table([NAMESPACE], () => 'people'),
            request,
          ),
      },
      ResolveName: {
        example: { namespace: 'people', name: 'Agent-1' },
        answer: (request) => find(request, 'name'),
      },
      GetName: {
        example: { namespace: 'people', normalized_name: first.name },
        answer: (request) => find(request, 'normalized_name'),
      },
      NamesByNamespace: {
        example: { namespace: 'people' },
        answer: (request) => page(request, (record) => record['namespace'] === textOf(request, 'namespace')),
      },
      NamesByOwner: {
        example: { owner_did: first.did },
        answer: (request) => page(request, (record) => record['owner_did'] === textOf(request, 'owner_did')),
      },
    },
  };
}
