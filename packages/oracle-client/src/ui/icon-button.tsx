import type { ReactElement } from 'react';
import { Icon, type IconName } from './icon.js';

interface IconButtonProps {
  readonly icon: IconName;
  /** What it is called, and what a pointer is told. */
  readonly name: string;
  readonly onPress: () => void;
  readonly isDisabled?: boolean;
  /** Of one that stays pressed, until it is pressed again. */
  readonly isPressed?: boolean;
  readonly className?: string;
}

/** A button that is a sign alone. */
export function IconButton(props: IconButtonProps): ReactElement {
  const { icon, name, onPress, isDisabled = false, isPressed, className = '' } = props;
  return (
    <button
      type="button"
      className={`mlango-icon-button ${className}`.trim()}
      aria-label={name}
      title={name}
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  );
}
