import { useEffect, useRef } from 'react';

const hashAtLoad = window.location.hash;
let isLaterView = false;

/** The main heading of a view: it names the browser tab and takes the focus after navigation by a link. */
export function Title({ children }: { readonly children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${children} · Mlango`;
    // On the first load the focus stays at the top of the page.
    if (isLaterView || window.location.hash !== hashAtLoad) heading.current?.focus({ preventScroll: true });
    isLaterView = true;
  }, [children]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
