import { useEffect, useState } from 'react';

/** Whether each door's service answers. */
export type OpenDoors = Readonly<Record<'phone' | 'chat' | 'chain', boolean>>;

/** One that is down may be on its way up. */
const AGAIN_MS = 5_000;

/** Which doors are open, looked at again while one is not; undefined until that is known. */
export function useOpenDoors(): OpenDoors | undefined {
  const [doors, setDoors] = useState<OpenDoors>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function look(): Promise<void> {
      const response = await fetch('/doors.json', { signal: controller.signal });
      const found = response.ok ? ((await response.json()) as OpenDoors) : undefined;
      if (found !== undefined) setDoors(found);
      if (found !== undefined && Object.values(found).every(Boolean)) return;
      timer = setTimeout(() => setRound((count) => count + 1), AGAIN_MS);
    }
    look().catch(() => {
      if (!controller.signal.aborted) timer = setTimeout(() => setRound((count) => count + 1), AGAIN_MS);
    });
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [round]);
  return doors;
}
