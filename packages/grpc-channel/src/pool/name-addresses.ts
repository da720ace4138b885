import { isIPv4 } from 'node:net';
import type { LookUp } from '../calls/dns-change.js';

/** More addresses of one name are not followed. */
const MAX_ADDRESSES = 32;

/**
 * Reports the addresses of a name, at once and on each change. A failed lookup changes nothing. If a name has addresses of both
 * families, only IPv4 is used: one server often has both, and would count as two nodes otherwise. The returned function ends it.
 */
export function followName(
  host: string,
  { lookUp, everyMs }: { readonly lookUp: LookUp; readonly everyMs: number },
  onChange: (addresses: readonly string[]) => void,
): () => void {
  let known = '';
  let isOver = false;
  const look = async (): Promise<void> => {
    const found = await lookUp(host).catch(() => []);
    const four = found.filter((address) => isIPv4(address));
    const addresses = [...new Set(four.length > 0 ? four : found)].sort().slice(0, MAX_ADDRESSES);
    if (isOver || addresses.length === 0 || known === addresses.join()) return;
    known = addresses.join();
    onChange(addresses);
  };
  void look();
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}
