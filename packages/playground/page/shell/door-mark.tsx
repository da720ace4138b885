/** The sign of the house: a door, a little open. */
export function DoorMark() {
  return (
    <svg className="door-mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <path d="M5 31V14a11 11 0 0 1 22 0v17z" fill="currentColor" />
      <path d="M9 31V15a7 7 0 0 1 14 0v16z" className="door-mark-light" />
      <path d="M9 31V15a7 7 0 0 1 9-6.7V29z" fill="currentColor" />
      <circle cx="15.5" cy="20.5" r="1.3" className="door-mark-light" />
    </svg>
  );
}
