/** @typedef {import('./service-process.mjs').ServiceProcess} ServiceProcess */

/**
 * Ends services, the first one last because the others call it, and kills the rest at the deadline or on a second signal.
 * @param {readonly ServiceProcess[]} running
 * @param {{ say: (line: string) => void, insist: AbortSignal, stopWithinMs: number }} options
 * @returns {Promise<boolean>} whether all ended by themselves
 */
export async function stopServices(running, { say, insist, stopWithinMs }) {
  let clean = true;
  /** @param {string} why */
  const kill = (why) => {
    const left = running.filter((service) => !service.ended);
    if (left.length === 0) return;
    clean = false;
    say(`${why}: killing ${left.map(({ name }) => name).join(', ')}.`);
    for (const service of left) service.kill('SIGKILL');
  };
  const deadline = setTimeout(() => kill(`Still running after ${stopWithinMs / 1_000} s`), stopWithinMs);
  const onInsist = () => kill('Asked again');
  insist.addEventListener('abort', onInsist, { once: true });
  if (insist.aborted) onInsist();

  const [first, ...callers] = running;
  await end(callers);
  if (first !== undefined) await end([first]);

  clearTimeout(deadline);
  insist.removeEventListener('abort', onInsist);
  return clean;
}

/** @param {readonly ServiceProcess[]} services */
async function end(services) {
  for (const service of services) service.kill('SIGTERM');
  await Promise.all(services.map((service) => service.end));
}
