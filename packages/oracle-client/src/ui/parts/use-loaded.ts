import { useEffect, useState } from 'react';

/** A lazily loaded value: undefined while loading, `'failed'` after a failure. */
export function useLoaded<Loaded extends object>(load: () => Promise<Loaded>): Loaded | 'failed' | undefined {
  const [loaded, setLoaded] = useState<Loaded | 'failed'>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads once, on mount.
  useEffect(() => {
    load().then(
      (module) => setLoaded(module),
      () => setLoaded('failed'),
    );
  }, []);
  return loaded;
}
