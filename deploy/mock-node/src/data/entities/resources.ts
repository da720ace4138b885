import type { LinkedResource } from '@mlango/proto/ixo/iid/v1beta1/iid';
import { contentId } from '../identifiers.js';
import type { EntityKind } from './kinds.js';
import { accountOf } from './records.js';

/** The linked resources of an entity: its profile and image, and what an oracle costs and runs on. */
export function linkedResources(did: string, kind: EntityKind, number: number): LinkedResource[] {
  const stored = [
    resource(did, 'profile', 'Settings', `${kind.title} ${number}`, 'application/json', number),
    resource(did, 'image', 'Image', 'Picture for lists', 'image/jpeg', number),
  ];
  return kind.type === 'oracle' ? [...stored, ...oracleResources(did, kind, number)] : stored;
}

function resource(
  did: string,
  name: string,
  type: string,
  description: string,
  mediaType: string,
  number: number,
): LinkedResource {
  const cid = contentId(`${name} ${number}`);
  return {
    type,
    id: `${did}#${name}`,
    description,
    mediaType,
    serviceEndpoint: `${did}#storage/${cid}`,
    proof: cid,
    encrypted: 'false',
    right: '',
  };
}

/** Small enough to stand in the document itself, so that clients need no storage service to read them. */
function oracleResources(did: string, kind: EntityKind, number: number): LinkedResource[] {
  const inline = (name: string, type: string, description: string, data: object): LinkedResource => ({
    type,
    id: `${did}#${name}`,
    description,
    mediaType: 'application/json',
    serviceEndpoint: `data:application/json;base64,${Buffer.from(JSON.stringify(data)).toString('base64')}`,
    proof: contentId(JSON.stringify(data)),
    encrypted: 'false',
    right: '',
  });
  return [
    inline('fee', 'FeeModel', 'What a conversation costs', { amount: '100', denom: 'uixo', per: 'message' }),
    inline('model', 'LanguageModel', 'What the oracle answers with', { provider: 'local', model: 'mlango-local' }),
    inline('orz', 'Authorization', 'What the oracle asks to be let do', {
      oracleName: `${kind.title} ${number}`,
      granteeAddress: accountOf(number, 'admin'),
      requiredPermissions: ['/cosmos.bank.v1beta1.MsgSend'],
    }),
  ];
}
