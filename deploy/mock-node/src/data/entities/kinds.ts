/** A kind of entity and what its members are called. */
export interface EntityKind {
  readonly type: string;
  readonly title: string;
}

/** Entities go through the kinds in this order: entity 1 is an oracle, entity 9 the next one. */
export const ENTITY_KINDS = [
  { type: 'oracle', title: 'Oracle of clean cooking' },
  { type: 'dao', title: 'Cooperative of cooks' },
  { type: 'project', title: 'Stoves for the coast' },
  { type: 'protocol/claim', title: 'Cooking claim' },
  { type: 'asset/device', title: 'Metered stove' },
  { type: 'asset/collection', title: 'Stoves of one batch' },
  { type: 'investment', title: 'Loan for stoves' },
  { type: 'deed', title: 'Agreement on delivery' },
] as const satisfies readonly EntityKind[];

export const ENTITY_COUNT = 200;

/** The kind of an entity by its number, from 1. */
export function kindOf(number: number): EntityKind {
  return ENTITY_KINDS[(number - 1) % ENTITY_KINDS.length] ?? ENTITY_KINDS[0];
}

/** Numbers of all entities of a kind. */
export function numbersOf(type: (typeof ENTITY_KINDS)[number]['type']): [number, ...number[]] {
  const first = ENTITY_KINDS.findIndex((kind) => kind.type === type) + 1;
  const rest: number[] = [];
  for (let number = first + ENTITY_KINDS.length; number <= ENTITY_COUNT; number += ENTITY_KINDS.length)
    rest.push(number);
  return [first, ...rest];
}
