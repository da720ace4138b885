import { phoneNumberPattern } from '@mlango/schemas/ussd';
import { createLogger, type Logger } from '@mlango/service-kit/logging';
import { readConfigOrExit } from '@mlango/service-kit/process';
import { resealPins } from '../accounts/pin-vault.js';
import { type Config, readConfig } from '../config.js';
import { HttpOracle } from '../connectors/oracle/http-oracle.js';
import { oneTimeCodesOf, openAccounts } from '../deps/open-accounts.js';
import { phoneIdentitiesOf } from '../deps/open-oracle.js';
import { customerId } from '../entries/code.js';
import { resealIdentities } from '../phone-identity/reseal-identities.js';

const usage = `Usage: node dist/cli.js <command>, with the environment of the service

  reseal-pins           encrypt again, with PIN_ENCRYPTION_KEY, every PIN and phone identity that still uses an earlier key
  unlock <customer id>  unlock a customer, and the phones that typed the wrong PINs
  pin-code <customer id>  void a forgotten PIN, and print a one-time code in its place
  export-customer <customer id>  print all data of a subscriber as JSON, without the PIN
  delete-customer <customer id>  delete an account; if it is the last one of its phone, also all data of the phone, here and at the oracle
  export-phone <+number>  print all data of a phone as JSON, without its accounts
  delete-phone <+number>  delete all data of a phone without accounts, also at the oracle
`;

type Accounts = Awaited<ReturnType<typeof openAccounts>> & {
  readonly config: Config;
  readonly oneTimeCodes: ReturnType<typeof oneTimeCodesOf>;
};
type Command = (accounts: Accounts) => Promise<number>;

/** Commands about a customer or phone, with the parser of their argument. */
const commands: Readonly<
  Record<string, readonly [ParseArgument, (accounts: Accounts, named: string) => Promise<number>]>
> = {
  unlock: [readCustomerId, unlock],
  'pin-code': [readCustomerId, issueCode],
  'export-customer': [readCustomerId, exportCustomer],
  'delete-customer': [readCustomerId, deleteCustomer],
  'export-phone': [readPhone, exportPhone],
  'delete-phone': [readPhone, deletePhone],
};
type ParseArgument = (text: string) => string | undefined;

/** Runs a command. @returns the exit code: 0 done, 1 failed, 2 invalid arguments. */
export async function runOperatorCommand(args: readonly string[]): Promise<number> {
  if (args.length === 1 && args[0] === '--help') {
    process.stdout.write(usage);
    return 0;
  }
  const command = commandOf(args);
  if (command === undefined) {
    process.stderr.write(usage);
    return 2;
  }
  const config = readConfigOrExit(() => readConfig(process.env));
  const logger = createLogger({ service: 'ussd-gateway-cli', level: 'warn', destination: process.stderr });
  try {
    return await runOn(config, logger, command);
  } catch (error) {
    logger.error({ err: error }, 'command failed');
    return 1;
  }
}

async function runOn(config: Config, logger: Logger, command: Command): Promise<number> {
  const accounts = await openAccounts(config, logger);
  try {
    await accounts.database.ping();
    // Issued codes are always logged.
    const audit = createLogger({ service: 'ussd-gateway-cli', level: 'info', destination: process.stderr });
    return await command({ ...accounts, config, oneTimeCodes: oneTimeCodesOf(config, audit, accounts) });
  } finally {
    await accounts.database.close();
  }
}

function commandOf([name, ...rest]: readonly string[]): Command | undefined {
  if (name === 'reseal-pins' && rest.length === 0) return reseal;
  const [text, ...surplus] = rest;
  const [read, command] = (name !== undefined && Object.hasOwn(commands, name) && commands[name]) || [];
  if (read === undefined || command === undefined || text === undefined || surplus.length > 0) return undefined;
  const named = read(text);
  return named === undefined ? undefined : (accounts) => command(accounts, named);
}

function readCustomerId(text: string): string | undefined {
  const read = customerId.make({}).read(text, { facts: {}, held: undefined, language: 'en' });
  return 'value' in read ? read.value : undefined;
}

/** A number as networks send it: data of any number can be exported and deleted. */
function readPhone(text: string): string | undefined {
  const number = text.replaceAll(/[ -]/g, '');
  return phoneNumberPattern.test(number) ? number : undefined;
}

async function reseal({ store, vault, config, keys, database }: Accounts): Promise<number> {
  const { pins, resealed, unopened } = await resealPins(store, vault);
  process.stdout.write(`${resealed} of ${pins} PINs sealed again, ${unopened.length} could not be opened\n`);
  const phones = phoneIdentitiesOf(config, keys, database.db);
  const done = await resealIdentities(phones.store, phones.identities);
  if (done.identities > 0) {
    process.stdout.write(
      `${done.resealed} of ${done.identities} identities of phones sealed again, ${done.unopened.length} could not be opened\n`,
    );
  }
  if (done.delegations > 0) {
    process.stdout.write(`${done.delegationsResealed} of ${done.delegations} delegations of phones sealed again\n`);
  }
  const unopenedIds = [...unopened, ...done.unopened];
  for (const id of unopenedIds) process.stdout.write(`not opened: ${id}\n`);
  return unopenedIds.length === 0 ? 0 : 1;
}

async function unlock({ store }: Accounts, id: string): Promise<number> {
  if (!(await store.unlock(id))) return unknownCustomer(id);
  process.stdout.write(`${id} is unlocked\n`);
  return 0;
}

async function issueCode({ oneTimeCodes }: Accounts, id: string): Promise<number> {
  const issued = await oneTimeCodes.issue(id, 'command');
  if (issued === undefined) return unknownCustomer(id);
  const { code, lifeMinutes } = issued;
  process.stdout.write(
    `${code} is valid instead of the PIN of ${id} for ${lifeMinutes} minutes, only from the phone of this account\n`,
  );
  return 0;
}

function unknownCustomer(id: string): number {
  process.stderr.write(`there is no customer ${id}\n`);
  return 1;
}

async function exportCustomer({ subscribers }: Accounts, id: string): Promise<number> {
  const data = await subscribers.read(id);
  if (data === undefined) return unknownCustomer(id);
  process.stdout.write(`${JSON.stringify(data, undefined, 2)}\n`);
  return 0;
}

async function deleteCustomer(parts: Accounts, id: string): Promise<number> {
  const { subscribers } = parts;
  const left = await subscribers.phoneOfLastAccount(id);
  if (left !== undefined && !(await forgetAtOracle(parts, left))) return refuseFor(id);
  const { accounts, attempts, counts, effects, phones } = await subscribers.remove(id);
  process.stdout.write(
    `${id}: removed ${accounts} account, ${attempts} attempts, ${counts} counts of wrong PINs, ${effects} effects, ${phones} phone with its language\n`,
  );
  return 0;
}

async function exportPhone({ subscribers }: Accounts, number: string): Promise<number> {
  process.stdout.write(`${JSON.stringify(await subscribers.readPhone(number), undefined, 2)}\n`);
  return 0;
}

async function deletePhone(parts: Accounts, number: string): Promise<number> {
  const owned = await parts.subscribers.accountsOf(number);
  if (owned.length === 0 && !(await forgetAtOracle(parts, number))) return refuseFor(number);
  const removed = await parts.subscribers.removePhone(number);
  if (removed === undefined) {
    process.stderr.write(
      `${number}: nothing removed, delete-customer comes first for its accounts: ${owned.join(', ')}\n`,
    );
    return 1;
  }
  const { attempts, counts, effects, phones } = removed;
  process.stdout.write(
    `${number}: removed ${attempts} attempts, ${counts} counts of wrong PINs, ${effects} effects, ${phones} phone with its language\n`,
  );
  return 0;
}

/** Refuses a deletion: the oracle has a conversation of this phone, and no oracle is configured. */
function refuseFor(named: string): number {
  process.stderr.write(`${named}: nothing removed, the oracle keeps a conversation of this phone: set ORACLE_URL\n`);
  return 1;
}

/** Runs first, since only the key of the phone can request it. False if there is data and no oracle is configured. */
async function forgetAtOracle({ config, keys, database }: Accounts, phone: string): Promise<boolean> {
  const { store, identities } = phoneIdentitiesOf(config, keys, database.db);
  const found = await store.ofNumber(phone);
  if (found.length === 0) return true;
  if (config.connectors.ORACLE_URL === undefined) return false;
  const oracle = new HttpOracle(config.connectors.ORACLE_URL);
  try {
    for (const identity of found) await oracle.deleteAccount(await identities.toAct(identity));
  } finally {
    await oracle.close();
  }
  return true;
}
