import type { ReactElement } from 'react';
import type { IMessage } from '../../chat/message.js';
import { IconButton } from '../icon-button.js';
import { useWords } from '../words/words.js';
import { branchesOf } from './branches-of.js';

interface BranchSwitcherProps {
  readonly message: Pick<IMessage, 'id' | 'siblings'>;
  readonly onSelect: ((messageId: string) => Promise<void>) | undefined;
}

/** Which of several wordings or answers this one is, and the way to the others: ‹ 2/3 ›. Nothing where there is one only. */
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
