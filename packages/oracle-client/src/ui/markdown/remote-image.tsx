import { type ReactElement, useState } from 'react';
import { useWords } from '../words/words.js';
import { safeLink } from './safe-link.js';

interface RemoteImageProps {
  readonly source: string;
  readonly alternative: string;
}

/** An image is fetched when its reader asks for it: to fetch one tells a stranger's server who reads, and carries out what its address says. */
export function RemoteImage({ source, alternative }: RemoteImageProps): ReactElement {
  const words = useWords().markdown;
  const [isWanted, setIsWanted] = useState(false);
  const link = safeLink(source);
  if (link?.host === undefined) return <span>{alternative}</span>;
  if (!isWanted) {
    return (
      <button type="button" className="mlango-image-button" onClick={() => setIsWanted(true)}>
        {words.showImage(alternative, link.host)}
      </button>
    );
  }
  return <img className="mlango-image" src={link.href} alt={alternative} referrerPolicy="no-referrer" />;
}
