import { type RefObject, useEffect, useState } from 'react';
import { useLatest } from '../../provider/use-latest.js';

/** Takes files that are dropped anywhere on the chat that something is in. Whether some are held above it. */
export function useDroppedFiles(
  inside: RefObject<HTMLElement | null>,
  onFiles: ((files: FileList) => void) | undefined,
): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useLatest(onFiles);
  const isTaken = onFiles !== undefined;
  useEffect(() => {
    const own = inside.current;
    const area = own?.closest<HTMLElement>('.mlango-chat') ?? own;
    if (area === null || !isTaken) return undefined;
    const end = new AbortController();
    const on = <Name extends 'dragover' | 'dragleave' | 'drop'>(name: Name, hear: (event: DragEvent) => void) =>
      area.addEventListener(name, hear, { signal: end.signal });
    on('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setIsOver(true);
    });
    on('dragleave', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && area.contains(relatedTarget))) setIsOver(false);
    });
    on('drop', (event) => {
      setIsOver(false);
      const files = event.dataTransfer?.files;
      if (files === undefined || files.length === 0) return;
      event.preventDefault();
      latest()?.(files);
    });
    return () => end.abort();
  }, [inside, isTaken, latest]);
  return isOver;
}
