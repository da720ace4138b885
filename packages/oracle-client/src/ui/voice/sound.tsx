import { type ReactElement, type SyntheticEvent, useEffect, useState } from 'react';

interface SoundProps {
  readonly blob: Blob;
  readonly name: string;
  /** Plays as soon as possible, if the browser permits it. */
  readonly isPlaying?: boolean;
}

/** Sound with the browser's own player. */
export function Sound({ blob, name, isPlaying = false }: SoundProps): ReactElement {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  const onReady = async ({ currentTarget: audio }: SyntheticEvent<HTMLAudioElement>) => {
    if (audio.duration === Number.POSITIVE_INFINITY) await findEnd(audio);
    if (isPlaying) await audio.play().catch(() => undefined);
  };
  // biome-ignore lint/a11y/useMediaCaption: a voice note has no transcript.
  return <audio controls src={url} aria-label={name} onLoadedMetadata={(event) => void onReady(event)} />;
}

/** A browser recording has no duration in its header: seeking to the end makes it known. */
function findEnd(audio: HTMLAudioElement): Promise<void> {
  return new Promise((resolve) => {
    const back = () => {
      audio.currentTime = 0;
      resolve();
    };
    audio.addEventListener('durationchange', back, { once: true });
    audio.currentTime = Number.MAX_SAFE_INTEGER;
  });
}
