/**
 * A way of its own that a conversation takes from some turn on: where a message was said in other words, or answered once more.
 * Every turn is on one branch, for good, and says with its message which; turns without one are on the trunk.
 */
export interface Branch {
  /** The turn that begins it. */
  readonly id: string;
  /** The turn that was there first, in the place of which its first turn stands. */
  readonly insteadOf: string;
  /** The turn that first answered the message of its first turn, where that is answered once more. */
  readonly again?: string;
  /** What of other branches lies before it, oldest first: the turns before a place. `null` is the trunk. */
  readonly path: readonly { readonly branch: string | null; readonly before: number }[];
}

/** The first message of a turn, as far as it says where the turn stands. */
interface TurnStart {
  readonly turnId: string;
  readonly branch?: Branch | null;
  /** A turn that began later in a session has a greater one. */
  readonly place: number;
}

/** Branches of one session at most, the trunk aside. */
export const mostBranches = 100;

/** The branch on which a turn stands in the place of another. @param id of the new turn */
export function branchInsteadOf(
  { turnId, branch, place }: TurnStart,
  { id, isAgain }: { readonly id: string; readonly isAgain: boolean },
): Branch {
  const own = branch ?? undefined;
  const isFirst = own?.id === turnId;
  return {
    id,
    insteadOf: isFirst ? own.insteadOf : turnId,
    ...(isAgain ? { again: (isFirst ? own.again : undefined) ?? turnId } : {}),
    path: isFirst ? own.path : [...(own?.path ?? []), { branch: own?.id ?? null, before: place }],
  };
}

/** Whether a turn is part of the conversation that a branch is. */
export function isOnBranch(
  { branch: its, place }: Pick<TurnStart, 'branch' | 'place'>,
  branch: Branch | null | undefined,
): boolean {
  const id = its?.id ?? null;
  if (id === (branch?.id ?? null)) return true;
  return branch?.path.some((part) => part.branch === id && place < part.before) === true;
}

/**
 * The ids of the messages that stand for each other, oldest first, by each of them that has such: wordings of a message of a user,
 * answers to a message. Pure.
 *
 * @param messages of one session, in the order of their turns; those of turns that have no alternative may be missing
 */
export function siblingsOf(
  messages: readonly (Pick<TurnStart, 'turnId' | 'branch'> & {
    readonly messageId: string;
    readonly type: 'human' | 'ai';
  })[],
): Map<string, readonly string[]> {
  const forks = new Map(
    messages.flatMap(({ turnId, branch }) => (branch && branch.id === turnId ? [[turnId, branch] as const] : [])),
  );
  const roots = new Set([...forks.values()].map(({ insteadOf }) => insteadOf));
  /** By the place, and there by the wording, the messages of users; by the wording the answers. */
  const asked = new Map<string, Map<string, string[]>>();
  const answered = new Map<string, string[]>();
  for (const { messageId, turnId, type } of messages) {
    const fork = forks.get(turnId);
    if (fork === undefined && !roots.has(turnId)) continue;
    const wording = fork?.again ?? turnId;
    const ofPlace = entryOf(asked, fork?.insteadOf ?? turnId, () => new Map<string, string[]>());
    entryOf(type === 'human' ? ofPlace : answered, wording, () => []).push(messageId);
  }
  const sets = [...asked.values()].flatMap((wordings) => [...wordings.values()].map((ids) => ({ ids, wordings })));
  return new Map([
    ...[...answered.values()].flatMap((ids) => (ids.length > 1 ? ids.map((id) => [id, ids] as const) : [])),
    ...sets.flatMap(({ ids, wordings }) => {
      if (wordings.size < 2) return [];
      return ids.map(
        (id) => [id, [...wordings.values()].map((other) => (other === ids ? id : (other.at(-1) ?? id)))] as const,
      );
    }),
  ]);
}

function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
