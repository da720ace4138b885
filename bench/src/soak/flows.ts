import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('../../../', import.meta.url);

/** The dialogue that is shipped, and the one that pays, on one gateway. */
export const codes = { accounts: '*384*1#', payments: '*384*2#' } as const;

/** Fills a folder with both. */
export function writeFlows(folder: string): void {
  const copy = (from: string, name: string) =>
    cpSync(fileURLToPath(new URL(from, root)), join(folder, name), { recursive: true });
  copy('services/ussd-gateway/flows/default', 'default');
  copy('examples/mobile-money/flows/default', 'pay');
  const services = {
    accounts: { codes: [codes.accounts], flow: 'default' },
    payments: { codes: [codes.payments], flow: 'pay' },
  };
  // JSON is YAML.
  writeFileSync(join(folder, 'services.yaml'), JSON.stringify({ services }));
}
