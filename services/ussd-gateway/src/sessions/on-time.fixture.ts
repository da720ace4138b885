/**
 * Runs a test of a limited period, and repeats it if a busy machine exceeded the period, which makes the result
 * meaningless. `lasts` starts a period; its result is called after the check.
 */
export async function onTime(run: (lasts: (ms: number) => () => void) => Promise<void>): Promise<void> {
  for (let left = 10; ; left -= 1) {
    let isLate = false;
    const lasts = (ms: number) => {
      const begunMs = performance.now();
      return () => {
        isLate ||= performance.now() - begunMs >= ms;
      };
    };
    try {
      return await run(lasts);
    } catch (error) {
      if (!isLate || left === 0) throw error;
    }
  }
}
