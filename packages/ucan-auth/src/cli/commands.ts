import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import {
  type Capability,
  mintDelegation,
  mintInvocation,
  mintRevocation,
  signerFromMnemonic,
  signerFromSeed,
} from '../mint/minting.js';
import { inspectToken } from './inspect-token.js';

export const USAGE = `usage: ucan <command>, as npm run -s ucan -- <command> or pnpm ucan <command>
  ucan key [--seed <64 hex>] [--mnemonic <words>]
      prints a seed (a new one unless given) and its did:key, as JSON
  ucan invoke --audience <did> --seed <64 hex>
      prints an invocation: send it as "Authorization: Bearer <token>" with "X-Auth-Type: ucan"
  ucan delegate --audience <did> --seed <64 hex>
      prints a delegation: send it as "x-ucan-delegation: <token>"
  ucan revoke <token> --audience <did> --seed <64 hex>
      prints a revocation: send it to the service to revoke <token>
  ucan inspect <token> [--audience <did>] [--resource <uri>] [--indexer <url> | --gateway <url>]
      prints the content of a token, and whether the service would accept it; exits 1 if it is accepted neither as an
      invocation nor as a delegation
  <token> may be -, for standard input
options of invoke, delegate and revoke:
  --mnemonic <words>     sign with a mnemonic's key instead of a seed's
  --did <did>            sign for this DID, whose document lists the key, instead of the did:key
  --capability <can@with>  default *@ixo:oracle; delegate takes several
  --lifetime <seconds>   default 300 for invoke, 604800 for delegate
  --proof <token>        a token that grants the capability to the signer; several are allowed`;

/** Invalid command line. */
export class UsageError extends Error {}

type Values = ReturnType<typeof readArguments>['values'];

export interface CommandOutcome {
  /** For standard output. */
  readonly text: string;
  readonly exitCode: 0 | 1;
}

/**
 * Runs one command. The exit code is 1 if `inspect` finds that a service would refuse the token.
 * @param readInput reads standard input
 * @throws {UsageError} for an invalid command line; rejects with the errors of minting too
 */
export async function runCommand(args: readonly string[], readInput: () => Promise<string>): Promise<CommandOutcome> {
  const { values, positionals } = readArguments(args);
  const [command, argument] = values.help === true ? ['help'] : positionals;
  const token = async () => {
    if (argument === undefined) throw new UsageError('the token is missing');
    return (argument === '-' ? await readInput() : argument).trim();
  };
  if (command !== 'inspect') return { text: await outputOf(command, values, token), exitCode: 0 };
  const { text, isAccepted } = await inspectToken(await token(), {
    audience: values.audience,
    resource: values.resource,
    graphqlUrl: values.indexer,
    gatewayUrl: values.gateway,
    nowSeconds: Math.floor(Date.now() / 1000),
  });
  return { text, exitCode: isAccepted ? 0 : 1 };
}

/** Output of the commands that mint tokens or keys, and of `help`. */
async function outputOf(command: string | undefined, values: Values, token: () => Promise<string>): Promise<string> {
  switch (command) {
    case 'key':
      return describeKey(values);
    case 'invoke': {
      const [capability] = capabilities(values);
      return mintInvocation({ ...options(values), capability });
    }
    case 'delegate':
      return mintDelegation({ ...options(values), capabilities: capabilities(values) });
    case 'revoke': {
      const { proofs: _, ...rest } = options(values);
      return mintRevocation({ ...rest, token: await token() });
    }
    case 'help':
      return USAGE;
    default:
      throw new UsageError(command === undefined ? 'no command' : `unknown command ${command}`);
  }
}

function describeKey(values: Values): string {
  if (values.mnemonic !== undefined) return JSON.stringify({ did: signer(values).did });
  const seed = values.seed ?? randomBytes(32).toString('hex');
  return JSON.stringify({ seed, did: signerFromSeed(seed, values.did).did });
}

function options(values: Values) {
  const { audience, lifetime, proof = [] } = values;
  if (audience === undefined) throw new UsageError('--audience is missing: the DID of the service the token is for');
  if (!/^did:[a-z0-9]+:./.test(audience)) throw new UsageError(`--audience is not a DID: ${audience}`);
  return { signer: signer(values), audience, proofs: proof, ...lifetimeOf(lifetime) };
}

function lifetimeOf(text: string | undefined): { lifetimeSeconds?: number } {
  if (text === undefined) return {};
  if (!/^[1-9][0-9]{0,9}$/.test(text)) throw new UsageError(`--lifetime is a number of seconds; got ${text}`);
  return { lifetimeSeconds: Number(text) };
}

function signer(values: Values) {
  if (values.mnemonic !== undefined) return signerFromMnemonic(values.mnemonic, values.did);
  if (values.seed === undefined) throw new UsageError('--seed or --mnemonic is missing; ucan key makes a new seed');
  return signerFromSeed(values.seed, values.did);
}

function capabilities(values: Values): [Capability, ...Capability[]] {
  const [first = '*@ixo:oracle', ...rest] = values.capability ?? [];
  return [parseCapability(first), ...rest.map(parseCapability)];
}

function parseCapability(text: string): Capability {
  const at = text.indexOf('@');
  if (at < 1) throw new UsageError(`a capability is <can>@<with>, such as *@ixo:oracle; got ${text}`);
  return { can: text.slice(0, at), with: text.slice(at + 1) };
}

function readArguments(args: readonly string[]) {
  try {
    return parse(args);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'bad arguments');
  }
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      seed: { type: 'string' },
      mnemonic: { type: 'string' },
      did: { type: 'string' },
      audience: { type: 'string' },
      resource: { type: 'string' },
      indexer: { type: 'string' },
      gateway: { type: 'string' },
      capability: { type: 'string', multiple: true },
      lifetime: { type: 'string' },
      proof: { type: 'string', multiple: true },
    },
  });
}
