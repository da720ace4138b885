import type { ReactElement } from 'react';
import type { IMessage } from '../../chat/message.js';
import { IconButton } from '../icon-button.js';
import { useWords } from '../words/words.js';

interface BranchSwitcherProps {
  readonly message: Pick<IMessage, 'id' | 'siblings'>;
  readonly onSelect: ((messageId: string) => Promise<void>) | undefined;
}

/** Which of several wordings or answers this one is, and the way to the others: ‹ 2/3 ›. Nothing where there is one only. */
export function BranchSwitcher({ message, onSelect }: BranchSwitcherProps): ReactElement | null {
  const words = useWords().message;
  const { id, siblings = [] } = message;
  const at = siblings.indexOf(id);
  if (at === -1 || siblings.length < 2 || onSelect === undefined) return null;
  const way = (to: number, name: string, icon: 'back' | 'forth') => {
    const sibling = siblings[to];
    return (
      <IconButton
        icon={icon}
        name={name}
        isDisabled={sibling === undefined}
        onPress={() => (sibling === undefined ? undefined : void onSelect(sibling).catch(() => undefined))}
      />
    );
  };
  return (
    <span className="mlango-branches">
      {way(at - 1, words.previousVersion, 'back')}
      <span role="img" aria-label={words.version(at + 1, siblings.length)}>
        {`${at + 1}/${siblings.length}`}
      </span>
      {way(at + 1, words.nextVersion, 'forth')}
    </span>
  );
}
