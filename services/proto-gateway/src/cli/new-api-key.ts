/** Makes an API key: prints the key, for its holder, and its entry in GATEWAY_API_KEYS, for the gateway. */
import { randomBytes } from 'node:crypto';
import { apiKeyEntry, parseApiKeys } from '../access/api-keys.js';

const [name = ''] = process.argv.slice(2);
const key = randomBytes(32).toString('base64url');
const entry = apiKeyEntry(name, key);
if ('problem' in parseApiKeys(entry)) {
  process.stderr.write('usage: npm --prefix services/proto-gateway run -s api-key NAME (letters, digits, . _ and -)\n');
  process.exit(1);
}
process.stdout.write(`${JSON.stringify({ key, entry })}\n`);
