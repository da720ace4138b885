// Makes the secrets of docker-compose.yml and docker-compose.pgbouncer.yml: a file each, owned by the user of its container and
// unreadable for all others. Existing files are left unchanged, so a secret is changed by changing or removing its file. Runs as
// root in a container of the oracle, because its code computes the DID of a key.
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signerFromSeed } from '@mlango/ucan-auth/minting';

const SERVICE_USER = 1000;
const STORE_USER = 999;
const SCRAPER_USER = 65_534;
const GRAFANA_USER = 472;

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node make-secrets.mjs <folder>');

/** 32 random bytes in hex: a key of its full length, and a password that needs no escape in a URL. */
const random = () => randomBytes(32).toString('hex');
const secret = (name) => readFileSync(join(folder, name), 'utf8').trim();

const databaseUrl = (role, host) => `postgres://${role}:${secret(`${role}-database-password`)}@${host}/${role}`;
/** A line of the user list of PgBouncer. */
const pgBouncerUser = (role) => `"${role}" "${secret(`${role}-database-password`)}"`;

/** Users of redis/users.acl, a line of Redis settings each, with fresh passwords. */
const redisUsers = (...names) => {
  const shipped = readFileSync(new URL('redis/users.acl', import.meta.url), 'utf8').split('\n');
  const lines = names.map((name) => shipped.find((line) => line.startsWith(`user ${name} on >change-me `)));
  if (lines.includes(undefined)) throw new Error(`redis/users.acl lacks one of ${names.join(', ')}`);
  return lines.map((line) => line.replace('change-me', random())).join('\n');
};
/** The user and password part of a URL. */
const redisUser = (file, name) => `${name}:${new RegExp(`^user ${name} on >(\\S+) `, 'm').exec(secret(file))[1]}`;

// In this order: a later one may be made of earlier ones.
const files = [
  ['postgres-password', STORE_USER, random],
  ['ussd-database-password', STORE_USER, random],
  ['oracle-database-password', STORE_USER, random],
  ['redis-password', STORE_USER, random],
  ['ussd-redis-password', STORE_USER, random],
  ['ussd-database-url', SERVICE_USER, () => databaseUrl('ussd', 'postgres:5432')],
  ['oracle-database-url', SERVICE_USER, () => databaseUrl('oracle', 'postgres:5432')],
  ['pgbouncer-users', STORE_USER, () => ['ussd', 'oracle'].map(pgBouncerUser).join('\n')],
  ['ussd-pooler-url', SERVICE_USER, () => databaseUrl('ussd', 'pgbouncer:6432')],
  ['oracle-pooler-url', SERVICE_USER, () => databaseUrl('oracle', 'pgbouncer:6432')],
  ['redis-users', STORE_USER, () => redisUsers('mlango-oracle', 'mlango-gateway')],
  ['ussd-redis-users', STORE_USER, () => redisUsers('mlango-ussd')],
  ['ussd-redis-url', SERVICE_USER, () => `redis://${redisUser('ussd-redis-users', 'mlango-ussd')}@ussd-redis:6379`],
  ['oracle-redis-url', SERVICE_USER, () => `redis://${redisUser('redis-users', 'mlango-oracle')}@redis:6379`],
  ['proto-redis-url', SERVICE_USER, () => `redis://${redisUser('redis-users', 'mlango-gateway')}@redis:6379`],
  ['pin-encryption-key', SERVICE_USER, random],
  // A rotation stores the earlier key here. Until then it is a key that seals nothing.
  ['pin-encryption-keys-old', SERVICE_USER, random],
  ['operator-token', SERVICE_USER, random],
  ['oracle-signing-seed', SERVICE_USER, random],
  ['oracle-did', SERVICE_USER, () => signerFromSeed(secret('oracle-signing-seed')).keyDid],
  ['oracle-seal-keys', SERVICE_USER, random],
  ['metrics-token', SERVICE_USER, random],
  ['scraper-metrics-token', SCRAPER_USER, () => secret('metrics-token')],
  ['grafana-password', GRAFANA_USER, random],
];

chmodSync(folder, 0o700);
const made = files.filter(([name, user, make]) => {
  const path = join(folder, name);
  const isNew = !existsSync(path);
  if (isNew) writeFileSync(path, `${make()}\n`, { mode: 0o600, flag: 'wx' });
  chmodSync(path, 0o600);
  chownSync(path, user, user);
  return isNew;
});
process.stdout.write(made.length === 0 ? 'nothing to make\n' : `made ${made.map(([name]) => name).join(', ')}\n`);
