import type { ReactElement } from 'react';

/** One path each, drawn with a line in a square of 24. */
const paths = {
  send: 'M12 19V5m-6 6 6-6 6 6',
  stop: 'M7 7h10v10H7z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13.5 6.5l4 4',
  reload: 'M20 11a8 8 0 1 0-2.3 6.3M20 4v7h-7',
  back: 'm14.5 6-6 6 6 6',
  forth: 'm9.5 6 6 6-6 6',
  down: 'M12 5v14m-6-6 6 6 6-6',
  menu: 'M4 7h16M4 12h16M4 17h10',
  close: 'm6 6 12 12M18 6 6 18',
  plus: 'M12 5v14M5 12h14',
  clip: 'm20 11-8.5 8.5a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7L9.3 17a1.7 1.7 0 0 1-2.4-2.4L14.5 7',
  archive: 'M4 5h16v4H4zm1.5 4v11h13V9M10 13h4',
  unarchive: 'M4 5h16v4H4zm1.5 4v11h13V9M12 17.5v-6m-2.5 2.5 2.5-2.5 2.5 2.5',
  'thumb-up': 'M7 11v9H4v-9zl4-7a2 2 0 0 1 2 2v4h5.5a2 2 0 0 1 2 2.3l-1.2 6A2 2 0 0 1 17.3 20H7',
  'thumb-down': 'M7 13V4H4v9zl4 7a2 2 0 0 0 2-2v-4h5.5a2 2 0 0 0 2-2.3l-1.2-6A2 2 0 0 0 17.3 4H7',
  file: 'M14 3H6v18h12V7zm0 0v4h4',
  mic: 'M12 4a3 3 0 0 0-3 3v4a3 3 0 0 0 6 0V7a3 3 0 0 0-3-3zM6 11a6 6 0 0 0 12 0m-6 6v3',
  play: 'M8 5v14l11-7z',
  phone: 'M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a1 1 0 0 1-1 1A15 15 0 0 1 4 5a1 1 0 0 1 1-1z',
} as const;

export type IconName = keyof typeof paths;

/** An icon without text; the element around it has the label. */
export function Icon({ name }: { readonly name: IconName }): ReactElement {
  return (
    <svg className={`mlango-icon mlango-icon-${name}`} viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

interface IconButtonProps {
  readonly icon: IconName;
  /** Accessible name and tooltip. */
  readonly name: string;
  readonly onPress: () => void;
  readonly isDisabled?: boolean;
  /** For a toggle button: whether it is pressed. */
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
