/**
 * Gives back what starting took and nothing needs any more: a third of the process, most of it the young generation, which grew
 * while modules were loaded and would stay so. It grows again where there is load. Takes some 60 ms, so it belongs before the process
 * listens. V8 does it for an inspector, and for nobody else without flags; no port is opened.
 */
export async function shedStartMemory(): Promise<void> {
  try {
    const { Session } = await import('node:inspector');
    const session = new Session();
    session.connect();
    await new Promise<void>((resolve) => session.post('HeapProfiler.collectGarbage', () => resolve()));
    session.disconnect();
  } catch {
    // A Node without an inspector serves as well.
  }
}
