/**
 * The states of an effect. `stored`: the request is saved and no process runs it, or the lease of its process expired. `running`: one
 * process holds the lease. `pending`: the external system answered that it needs time. `uncertain`: the call failed, and its result is
 * unknown. `settled`: the outcome is stored. `shown`: the subscriber saw the outcome. `abandoned`: the result stayed unknown for a day,
 * and no process tries again.
 */
export const effectStates = ['stored', 'running', 'pending', 'uncertain', 'settled', 'shown', 'abandoned'] as const;
export type EffectState = (typeof effectStates)[number];

/**
 * Events of an effect. Only the holder of the latest lease causes `renewed`, `postponed`, `failed` and `gaveUp`. `reported` is an
 * outcome of a callback; `corrected` is a definite outcome after `unanswered`, the only outcome that is replaced.
 */
export const effectEvents = [
  ...(['leased', 'renewed', 'leaseExpired', 'answered', 'postponed', 'failed'] as const),
  ...(['gaveUp', 'reported', 'corrected', 'acknowledged'] as const),
] as const;
export type EffectEvent = (typeof effectEvents)[number];

type Transitions = Readonly<Record<EffectState, Readonly<Partial<Record<EffectEvent, EffectState>>>>>;

/**
 * Every allowed transition. `effect-store.ts` makes each in one atomic statement with a condition from this table; ARCHITECTURE.md
 * has the same table.
 */
export const transitions: Transitions = {
  // The holder of an expired lease may still end its run, until another process leases the effect.
  stored: {
    leased: 'running',
    renewed: 'running',
    answered: 'settled',
    postponed: 'pending',
    failed: 'uncertain',
    gaveUp: 'abandoned',
    reported: 'settled',
  },
  running: {
    renewed: 'running',
    leaseExpired: 'stored',
    answered: 'settled',
    postponed: 'pending',
    failed: 'uncertain',
    gaveUp: 'abandoned',
    reported: 'settled',
  },
  // A run may answer late, after its lease expired.
  pending: { leased: 'running', answered: 'settled', reported: 'settled' },
  uncertain: { leased: 'running', answered: 'settled', reported: 'settled' },
  // A second outcome changes nothing: the first one stays.
  settled: { answered: 'settled', reported: 'settled', corrected: 'settled', acknowledged: 'shown' },
  shown: { answered: 'shown', reported: 'shown', corrected: 'settled', acknowledged: 'shown' },
  abandoned: { answered: 'settled', reported: 'settled' },
};

/** States in which an outcome is still expected. */
export const openStates = ['stored', 'running', 'pending', 'uncertain'] as const satisfies EffectState[];

/** The next dial shows an effect in these states, and the subscriber begins no other effect of its kind. */
export const unshownStates = [...openStates, 'settled'] as const satisfies EffectState[];

export function isOpen(state: EffectState): boolean {
  return openStates.some((open) => open === state);
}

/** States in which an event is allowed. */
export function statesWith(event: EffectEvent): readonly EffectState[] {
  return effectStates.filter((state) => allows(state, event));
}

/** Whether an event is allowed in a state. */
export function allows(state: EffectState, event: EffectEvent): boolean {
  return transitions[state][event] !== undefined;
}

/** Whether an event leads to another state. */
export function changes(state: EffectState, event: EffectEvent): boolean {
  return allows(state, event) && transitions[state][event] !== state;
}
