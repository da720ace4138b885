import type { Agent, Dispatcher } from 'undici';
import { guardedAgent, type ResolveHost } from './guarded-agent.js';
import type { NamedHost } from './named-hosts.js';
import { type OutboundRules, outboundRules } from './outbound-rules.js';

export interface OutboundOptions {
  /** Hosts that may have private addresses; all others must have public ones. */
  readonly privateHosts: readonly NamedHost[];
  /** Default: as the system resolves names. */
  readonly resolve?: ResolveHost;
  /** Certificates to trust instead of the system's, PEM. */
  readonly ca?: string;
}

/** Client for addresses from outside. */
export interface Outbound extends OutboundRules {
  /** For `request` and `fetch` of undici, created at the first use. Refuses with a `ForbiddenAddressError` before anything is sent. */
  readonly dispatcher: Dispatcher;
  /** Ends the connections. */
  close(): Promise<void>;
}

/** Maximum time of a connection, of the head of a reply, and of each pause in its body. Callers have limits of their own. */
const timeoutMs = 60_000;
const connections = 32;

export function createOutbound({ privateHosts, ...rest }: OutboundOptions): Outbound {
  const rules = outboundRules(privateHosts);
  const { isAllowedAddress } = rules;
  let agent: Agent | undefined;
  return {
    ...rules,
    get dispatcher() {
      agent ??= guardedAgent({ ...rest, isAllowedAddress, timeoutMs, connections });
      return agent;
    },
    close: async () => agent?.destroy(),
  };
}
