import { address, multibaseKey, publicKey } from './identifiers.js';

/** A person who makes, evaluates or disputes claims. */
export interface Agent {
  readonly name: string;
  readonly did: string;
  readonly address: string;
  readonly key: Buffer;
}

const AGENT_COUNT = 40;

/** The people of this chain. Their DIDs are made from their keys. */
export function makeAgents(): [Agent, ...Agent[]] {
  return [makeAgent(1), ...Array.from({ length: AGENT_COUNT - 1 }, (_, index) => makeAgent(index + 2))];
}

function makeAgent(number: number): Agent {
  const name = `agent-${number}`;
  const key = publicKey(name);
  return { name, key, did: `did:x:${multibaseKey(key)}`, address: address(name) };
}
