import { HEIGHT_HEADER } from '../transcoding/metadata.js';
import type { NodeCall } from './chain-node.js';

/** What the reply to a call depends on. */
export interface CallKey {
  /** Equal for calls that get equal replies at the same moment. */
  readonly text: string;
  /** The block height asked for; `undefined` for the latest one. */
  readonly height: string | undefined;
  /** The caller sent metadata of its own, credentials perhaps: others must not be given its reply later. */
  readonly isPersonal: boolean;
}

/** What the gateway says of a caller; no query depends on it. */
const ABOUT_THE_CALLER = new Set(['x-forwarded-for', 'x-forwarded-host']);

export function keyOfCall(call: NodeCall): CallKey {
  let text = `${call.path}\n${Buffer.from(call.request).toString('latin1')}`;
  let height: string | undefined;
  let isPersonal = false;
  for (const [name, value] of call.metadata) {
    if (ABOUT_THE_CALLER.has(name)) continue;
    if (name === HEIGHT_HEADER && typeof value === 'string' && /^[0-9]{1,18}$/.test(value)) {
      // The last height is the one that counts; 0 is the latest block.
      height = BigInt(value) === 0n ? undefined : String(BigInt(value));
      continue;
    }
    isPersonal = true;
    text += `\n${name}\n${typeof value === 'string' ? value : Buffer.from(value).toString('base64')}`;
  }
  return { text: `${text}\n${height ?? ''}`, height, isPersonal };
}
