import type { ReactElement } from 'react';
import type { IMessage } from '../../api/chat/message.js';
import { useWords } from '../../words/words.js';
import { IconButton } from '../parts/icon.js';

interface BranchSwitcherProps {
  readonly message: Pick<IMessage, 'id' | 'siblings'>;
  readonly onSelect: ((messageId: string) => Promise<void>) | undefined;
}

/** The position of this version among several, and buttons to the others: ‹ 2/3 ›. Empty for a single version. */
export function BranchSwitcher({ message, onSelect }: BranchSwitcherProps): ReactElement | null {
  const words = useWords().message;
  const branches = branchesOf(message, onSelect);
  if (branches === undefined) return null;
  const { at, of, previous, next } = branches;
  return (
    <span className="mlango-branches">
      <IconButton icon="back" name={words.previousVersion} isDisabled={!previous} onPress={() => previous?.()} />
      <span role="img" aria-label={words.version(at, of)}>
        {`${at}/${of}`}
      </span>
      <IconButton icon="forth" name={words.nextVersion} isDisabled={!next} onPress={() => next?.()} />
    </span>
  );
}

/** Which of several wordings or answers a message is. */
export interface BranchesParts {
  /** From 1 on. */
  readonly at: number;
  readonly of: number;
  /** Shows the one before; undefined of the first. */
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
}

/** Undefined for a single version. */
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
