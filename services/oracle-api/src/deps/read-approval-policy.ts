import type { Config } from '../config.js';
import type { ApprovalPolicy } from '../plugin-host/approval-policy.js';

/** Which calls of tools their users are asked before, as the service is set. */
export function readApprovalPolicy({ TOOL_APPROVAL, NODE_ENV }: Config): ApprovalPolicy {
  const tools = TOOL_APPROVAL.map((item) => {
    const [name = '', needs] = item.split('=');
    return { name, needs: needs === 'ask' ? ('ask' as const) : ('free' as const) };
  });
  return { tools, asksOutside: NODE_ENV === 'production' };
}
