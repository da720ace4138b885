import { converseAbility } from '@mlango/schemas/oracle-delegation';
import { type ToolContext, ToolError } from '../api/plugin-tool.js';

/** A turn, as far as something is done for its user elsewhere. */
export type Acting = Pick<ToolContext, 'user' | 'ucan'>;

/** Longer than a call may take. */
const lifetimeSeconds = 60;

const converse = ({ user }: Acting) => ({ can: converseAbility, with: user.did });

/** Whether the user lets this oracle speak for them at others. */
export function mayActFor(turn: Acting): Promise<boolean> {
  return turn.ucan.hasCapability(converse(turn));
}

/**
 * An invocation by which this oracle speaks for its user at another: of the user's delegation no more than that, for that one oracle and
 * for a minute.
 * @throws ToolError where the user does not let it any more.
 */
export async function actingInvocation(audience: string, turn: Acting): Promise<string> {
  const minted = await turn.ucan.mintInvocation({ capability: converse(turn), audience, lifetimeSeconds });
  if (minted.ok) return minted.token;
  throw new ToolError(`The user does not let this oracle speak for them: ${minted.code}.`);
}
