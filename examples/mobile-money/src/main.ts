import { readFileSync } from 'node:fs';
import { openMobileMoney } from './mobile-money.js';

const {
  PORT = '3010',
  GATEWAY_URL = 'http://127.0.0.1:3000',
  WEBHOOK_SECRET_FILE,
  CONFIRM_SECONDS = '5',
} = process.env;
if (WEBHOOK_SECRET_FILE === undefined) {
  process.stderr.write('WEBHOOK_SECRET_FILE is missing: a file with the secret of the webhook mobileMoney\n');
  process.exit(78);
}
const { url, close } = await openMobileMoney({
  port: Number(PORT),
  secret: readFileSync(WEBHOOK_SECRET_FILE, 'utf8').trim(),
  callbackUrl: () => `${GATEWAY_URL}/api/ussd/callbacks/mobileMoney`,
  confirmMs: Number(CONFIRM_SECONDS) * 1000,
});
process.stdout.write(`Mobile money at ${url}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close());
