import type { IMessage } from '../../chat/message.js';

/** Which of several wordings or answers a message is. */
export interface BranchesParts {
  /** From 1 on. */
  readonly at: number;
  readonly of: number;
  /** Shows the one before; undefined of the first. */
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
}

/** Undefined where there is one only. Pure, but for what it gives. */
export function branchesOf(
  { id, siblings = [] }: Pick<IMessage, 'id' | 'siblings'>,
  select: ((messageId: string) => Promise<void>) | undefined,
): BranchesParts | undefined {
  const at = siblings.indexOf(id);
  if (at === -1 || siblings.length < 2 || select === undefined) return undefined;
  const way = (to: number) => {
    const sibling = siblings[to];
    return sibling === undefined ? undefined : () => void select(sibling).catch(() => undefined);
  };
  return { at: at + 1, of: siblings.length, previous: way(at - 1), next: way(at + 1) };
}
