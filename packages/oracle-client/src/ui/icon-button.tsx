import type { ReactElement } from 'react';
import { Icon, type IconName } from './icon.js';

interface IconButtonProps {
  readonly icon: IconName;
  /** What it is called, and what a pointer is told. */
  readonly name: string;
  readonly onPress: () => void;
  readonly isDisabled?: boolean;
  readonly className?: string;
}

/** A button that is a sign alone. */
export function IconButton({ icon, name, onPress, isDisabled = false, className = '' }: IconButtonProps): ReactElement {
  return (
    <button
      type="button"
      className={`mlango-icon-button ${className}`.trim()}
      aria-label={name}
      title={name}
      disabled={isDisabled}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  );
}
