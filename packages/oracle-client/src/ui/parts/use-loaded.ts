import { useEffect, useState } from 'react';

/** What is loaded once it is shown: undefined until then, and `'failed'` where it cannot be. */
export function useLoaded<Loaded extends object>(load: () => Promise<Loaded>): Loaded | 'failed' | undefined {
  const [loaded, setLoaded] = useState<Loaded | 'failed'>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is loaded once, whatever is rendered.
  useEffect(() => {
    load().then(
      (module) => setLoaded(module),
      () => setLoaded('failed'),
    );
  }, []);
  return loaded;
}
