import type { AccordedRight, IidDocument, LinkedClaim, LinkedEntity, Service } from '@mlango/proto/ixo/iid/v1beta1/iid';
import type { Agent } from '../agents.js';
import { contentId, entityDid } from '../identifiers.js';
import type { PublishedAddresses } from '../published-addresses.js';
import { digest, seeded } from '../seeded.js';
import { later, momentBetween } from '../times.js';
import { ENTITY_COUNT, type EntityKind, kindOf } from './kinds.js';
import { accountOf } from './records.js';
import { linkedResources } from './resources.js';
import { accountMethod, multibaseMethod, verificationMethods } from './verification.js';

const CONTEXT = [
  { key: '', val: 'https://www.w3.org/ns/did/v1' },
  { key: 'ixo', val: 'https://w3id.org/ixo/ns/protocol/' },
];

/** The document of an entity. */
export function entityDocument(number: number, agents: readonly Agent[], published: PublishedAddresses): IidDocument {
  const did = entityDid(number);
  const kind = kindOf(number);
  const controller = agents[number % agents.length]?.did ?? did;
  return {
    ...emptyDocument(did, `document ${number}`),
    controller: [controller],
    verificationMethod: verificationMethods(did, `entity ${number}`, accountOf(number, 'admin')),
    service: services(did, kind, number, published),
    authentication: [`${did}#signing`, `${did}#backup`],
    assertionMethod: [`${did}#signing`],
    capabilityInvocation: [`${did}#signing`, `${did}#device`],
    capabilityDelegation: [`${did}#signing`],
    linkedResource: linkedResources(did, kind, number),
    linkedClaim: linkedClaims(did, number),
    accordedRight: kind.type === 'deed' ? accordedRights(did) : [],
    linkedEntity: linkedEntities(number),
    alsoKnownAs: kind.type,
  };
}

/** The document of a person: one key, one account. */
export function agentDocument(agent: Agent): IidDocument {
  return {
    ...emptyDocument(agent.did, `document ${agent.name}`),
    controller: [agent.did],
    verificationMethod: [multibaseMethod(agent.did, 'signing', agent.key), accountMethod(agent.did, agent.address)],
    authentication: [`${agent.did}#signing`],
  };
}

function emptyDocument(id: string, label: string): IidDocument {
  const random = seeded(label);
  const created = momentBetween(random, 0, 120);
  return {
    context: CONTEXT,
    id,
    controller: [],
    verificationMethod: [],
    service: [],
    authentication: [],
    assertionMethod: [],
    keyAgreement: [],
    capabilityInvocation: [],
    capabilityDelegation: [],
    linkedResource: [],
    linkedClaim: [],
    accordedRight: [],
    linkedEntity: [],
    alsoKnownAs: '',
    metadata: {
      versionId: digest(label).toString('hex'),
      created,
      updated: later(created, random.int(0, 1_000_000)),
      deactivated: false,
    },
  };
}

function services(did: string, kind: EntityKind, number: number, published: PublishedAddresses): Service[] {
  const storage = { id: `${did}#storage`, type: 'Ipfs', serviceEndpoint: 'https://storage.example/ipfs' };
  if (kind.type !== 'oracle') return [storage];
  // The first oracle is the one that runs beside this node, and so does the query gateway it asks.
  const api = number === 1 ? published.oracle : `https://oracle-${number}.example`;
  const own = [
    storage,
    { id: `${did}#api`, type: 'oracleService', serviceEndpoint: api },
    { id: `${did}#ws`, type: 'wsService', serviceEndpoint: api.replace(/^http/, 'ws') },
  ];
  return number === 1
    ? [...own, { id: `${did}#proto`, type: 'protoService', serviceEndpoint: published.gateway }]
    : own;
}

function linkedClaims(did: string, number: number): LinkedClaim[] {
  const cid = contentId(`linked claim ${number}`);
  return [
    {
      type: 'ImpactClaim',
      id: `${did}#claim`,
      description: 'What the entity says it achieved',
      serviceEndpoint: `${did}#storage/${cid}`,
      proof: cid,
      encrypted: 'false',
      right: '',
    },
  ];
}

function accordedRights(did: string): AccordedRight[] {
  return [
    { type: 'Execute', id: `${did}#right`, mechanism: 'authz', message: 'MsgSubmitClaim', service: `${did}#storage` },
  ];
}

function linkedEntities(number: number): LinkedEntity[] {
  const next = (number % ENTITY_COUNT) + 1;
  return [{ type: kindOf(next).type, id: entityDid(next), relationship: 'related', service: '' }];
}
