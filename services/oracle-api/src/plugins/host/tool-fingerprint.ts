import { createHash } from 'node:crypto';
import { canonicalJson } from '../../agent/loop/call-records.js';
import { type ApprovalPolicy, needsByPolicy } from './approval-policy.js';
import type { PreparedTool } from './prepared-tool.js';

/** Of what a tool is and of what it takes to call it: what was allowed for one is not allowed for another. */
export function fingerprintOf({ owner, version, tool, schema }: PreparedTool, policy: ApprovalPolicy): string {
  const { name, description, theirWords = '', kind = 'tool', needsApproval } = tool;
  const needs = needsByPolicy(policy, name) ?? typeof needsApproval;
  const parts = { owner, version, name, description, theirWords, kind, schema: schema.json, needs };
  return createHash('sha256').update(canonicalJson(parts)).digest('base64url');
}
