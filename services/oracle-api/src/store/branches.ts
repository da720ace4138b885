/**
 * An alternative continuation of a conversation from some turn on: a message was edited, or answered again. Every turn is on one branch,
 * permanently, and its message names the branch; turns without one are on the trunk.
 */
export interface Branch {
  /** Id of its first turn. */
  readonly id: string;
  /** The original turn that its first turn replaces. */
  readonly insteadOf: string;
  /** The turn that first answered the message of its first turn, if that is answered again. */
  readonly again?: string;
  /** Turns of other branches before it, oldest first: those before a place. `null` is the trunk. */
  readonly path: readonly { readonly branch: string | null; readonly before: number }[];
}

/** The position fields of the first message of a turn. */
interface TurnStart {
  readonly turnId: string;
  readonly branch?: Branch | null;
  /** Increases with the start of the turn. */
  readonly place: number;
}

/** Maximum branches of a session, without the trunk. */
export const mostBranches = 100;

/** The branch of a turn that replaces another one. @param id of the new turn */
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

/** Whether a turn is part of the conversation of a branch. */
export function isOnBranch(
  { branch: its, place }: Pick<TurnStart, 'branch' | 'place'>,
  branch: Branch | null | undefined,
): boolean {
  const id = its?.id ?? null;
  if (id === (branch?.id ?? null)) return true;
  return branch?.path.some((part) => part.branch === id && place < part.before) === true;
}

/**
 * Alternatives of each message by its id, oldest first: versions of a user message, and answers to a message. Only messages with
 * alternatives. Pure.
 * @param messages of one session, in turn order; turns without alternatives may be missing
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
  /** User messages by place and version; answers by version. */
  const questions = new Map<string, Map<string, string[]>>();
  const answered = new Map<string, string[]>();
  for (const { messageId, turnId, type } of messages) {
    const fork = forks.get(turnId);
    if (fork === undefined && !roots.has(turnId)) continue;
    const wording = fork?.again ?? turnId;
    const ofPlace = entryOf(questions, fork?.insteadOf ?? turnId, () => new Map<string, string[]>());
    entryOf(type === 'human' ? ofPlace : answered, wording, () => []).push(messageId);
  }
  const sets = [...questions.values()].flatMap((wordings) => [...wordings.values()].map((ids) => ({ ids, wordings })));
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
