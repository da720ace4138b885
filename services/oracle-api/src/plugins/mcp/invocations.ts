import { createHash } from 'node:crypto';
import { converseAbility } from '@mlango/schemas/oracle-delegation';
import type { OracleIdentity } from '../../identity/oracle-identity.js';
import { type ToolContext, ToolError } from '../api/plugin-tool.js';

const nameChars = 64;

/** The part of a turn that calls on the user's behalf need. */
export type Acting = Pick<ToolContext, 'user' | 'ucan'>;

/** Longer than a call may take. */
const lifetimeSeconds = 60;

const converse = ({ user }: Acting) => ({ can: converseAbility, with: user.did });

/** Whether the user has delegated calls of other oracles to this oracle. */
export function mayActFor(turn: Acting): Promise<boolean> {
  return turn.ucan.hasCapability(converse(turn));
}

/**
 * Mints an invocation for a call of another oracle on the user's behalf: from the user's delegation only this right, for one oracle
 * and for one minute.
 * @throws ToolError if the user has revoked the delegation.
 */
export async function actingInvocation(audience: string, turn: Acting): Promise<string> {
  const minted = await turn.ucan.mintInvocation({ capability: converse(turn), audience, lifetimeSeconds });
  if (minted.ok) return minted.token;
  throw new ToolError(`The user has not authorised this oracle to act for them: ${minted.code}.`);
}

type Turn = Pick<ToolContext, 'ucan' | 'mcpInvocations'>;

/**
 * Finds the user's invocation for a protected tool in the message: under `<server>/<tool>`, the name for the model, or the tool's own
 * name.
 * @throws ToolError with a text for the user that names the missing invocation.
 */
export async function userInvocation(
  oracle: Pick<OracleIdentity, 'did' | 'entityDid'>,
  server: string,
  tool: string,
  { ucan, mcpInvocations = {} }: Turn,
): Promise<string> {
  const resources = [...new Set([oracle.did, oracle.entityDid])].map(
    (did) => `ixo:oracle:${did}:mcp/${server}/${tool}`,
  );
  const names = [`${server}/${tool}`, toolNameFor(server, tool), tool];
  const name = names.find((one) => Object.hasOwn(mcpInvocations, one));
  const token = name === undefined ? undefined : mcpInvocations[name];
  if (token === undefined) {
    throw new ToolError(
      `${tool} of ${server} is protected. The user has to send an invocation of mcp/call on ${resources[0]} along with ` +
        `the message, or once more with the approval, where the call has waited for one, in mcpInvocations["${server}/${tool}"].`,
    );
  }
  let reason = '';
  for (const resource of resources) {
    const checked = await ucan.checkInvocation(token, { can: 'mcp/call', with: resource });
    if (checked.ok) return token;
    if (reason !== 'expired') reason = checked.code;
  }
  throw new ToolError(
    `The invocation that came with the message does not open ${tool} of ${server}: ${inWords(reason)}.`,
  );
}

function inWords(code: string): string {
  if (code === 'expired') return 'it has expired, and the user has to send a new one';
  if (code === 'unavailable') return 'it cannot be checked just now';
  return 'it is not an invocation of mcp/call on this tool by this user';
}

/**
 * The name of a server's tool for models: `<server>__<tool>`. Names of servers have no `_`, so names of two servers never clash. Characters
 * that models do not accept are replaced, long names are cut, and a digest of the name keeps them unique.
 */
export function toolNameFor(server: string, tool: string): string {
  const plain = `${server}__${tool}`;
  if (plain.length <= nameChars && /^[A-Za-z0-9_-]+$/.test(tool)) return plain;
  const digest = createHash('sha256').update(tool).digest('hex').slice(0, 8);
  const cleaned = plain.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, nameChars - digest.length - 1);
  return `${cleaned}_${digest}`;
}
