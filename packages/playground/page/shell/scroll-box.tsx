import type { ReactNode } from 'react';

interface ScrollBoxProps {
  readonly label: string;
  readonly className: string;
  readonly children: ReactNode;
}

/** Something that may be larger than its place. With the focus on it, the arrow keys scroll. */
export function ScrollBox({ label, className, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard alone could not scroll in every browser.
    <section className={`scroll-box ${className}`} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
