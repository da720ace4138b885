import { useEffect, useRef } from 'react';

/** The first heading of a view. It names the browser's tab, and takes the focus when its view is come to by a link. */
export function Title({ children }: { readonly children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${children} · Mlango`;
    // On the first load the focus stays where readers expect it, at the top, or where they have gone since.
    if (wasHere || window.location.hash !== loadedWith) heading.current?.focus({ preventScroll: true });
    wasHere = true;
  }, [children]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

const loadedWith = window.location.hash;
let wasHere = false;
