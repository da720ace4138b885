/**
 * Runs a case about what lasts only for a while, and once more where the machine was so busy that it was over before it was looked at: what was found
 * then says nothing. `lasts` begins a while; what it gives is called once it has been looked at.
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
