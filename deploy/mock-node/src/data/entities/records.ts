import type { Entity, EntityAccount } from '@mlango/proto/ixo/entity/v1beta1/entity';
import { address, contentId, entityDid } from '../identifiers.js';
import { digest, seeded } from '../seeded.js';
import { day, later, momentBetween } from '../times.js';
import { ENTITY_COUNT, kindOf } from './kinds.js';

const RELAYER = 2;

/** The records of all entities, by number. */
export function makeEntities(): Entity[] {
  return Array.from({ length: ENTITY_COUNT }, (_, index) => makeEntity(index + 1));
}

/** The account an entity holds under a name. */
export function accountOf(number: number, name: string): string {
  return address(`entity ${number} ${name}`);
}

function makeEntity(number: number): Entity {
  const random = seeded(`entity ${number}`);
  const created = momentBetween(random, 0, 120);
  const updated = later(created, random.int(0, 1_000_000));
  return {
    id: entityDid(number),
    type: kindOf(number).type,
    start_date: random.chance(0.8) ? day(random.int(0, 60)) : undefined,
    end_date: random.chance(0.5) ? day(random.int(2_000, 4_000)) : undefined,
    status: random.pick([0, 1, 1, 1, 2]),
    relayer_node: entityDid(RELAYER),
    credentials: Array.from(
      { length: random.int(0, 3) },
      (_, index) => `ipfs:${contentId(`credential ${number} ${index}`)}`,
    ),
    entity_verified: number <= 8 || random.chance(0.7),
    metadata: { version_id: digest(`version ${number}`).toString('hex'), created, updated },
    accounts: accountNames(number).map((name): EntityAccount => ({ name, address: accountOf(number, name) })),
  };
}

function accountNames(number: number): string[] {
  return kindOf(number).type === 'project' ? ['admin', 'payments', 'escrow'] : ['admin'];
}
