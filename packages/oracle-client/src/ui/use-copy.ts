import { useEffect, useState } from 'react';

/** How long it says that it was done. */
const saidMs = 2_000;

/** Puts a text on the clipboard, and says so for a while. Does nothing where the page is not secure, which has no clipboard. */
export function useCopy(text: string): { readonly isCopied: boolean; readonly copy: () => void } {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), saidMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () =>
    void navigator.clipboard?.writeText(text).then(
      () => setIsCopied(true),
      () => undefined,
    );
  return { isCopied, copy };
}
