import { pageCap } from '@mlango/cosmos-rest/page-rules';
import { GRPC_CODES, type RpcStatus } from '@mlango/transcoder/grpc-status';
import type { Metadata } from '@mlango/transcoder/metadata';
import type { RequestRule } from '@mlango/transcoder/request-rule';
import { requestedHeight } from '../nodes/chain-node.js';

/** Limits of a key. An undefined field is unlimited. */
export interface KeyPlan {
  readonly requestsPerMinute?: number | undefined;
  /** Bytes of replies, as sent. */
  readonly bytesPerMinute?: number | undefined;
  /** Items of a page. */
  readonly pageLimit?: number | undefined;
  /** `pkg.Service` and `pkg.Service/Method`: nothing else is answered. */
  readonly methods?: ReadonlySet<string> | undefined;
  readonly heights?: PlannedHeights | undefined;
  /** Milliseconds since 1970. */
  readonly expiresAtMs?: number | undefined;
}

/** Allowed heights, both ends included. The latest block needs an open end. */
export interface PlannedHeights {
  /** As the file has them. */
  readonly text: string;
  readonly from: bigint;
  readonly to: bigint | undefined;
}

/** The rate limit of a caller, in requests per minute: that of the plan of its key, else `max`. */
export function requestsOfPlan(max: number): (caller: { readonly apiKey: ApiKey | null | undefined }) => number {
  return ({ apiKey }) => apiKey?.plan?.requestsPerMinute ?? max;
}

/** Why a plan does not have a method. @param rpcName `pkg.Service/Method` */
export function refusesMethod(plan: KeyPlan | undefined, rpcName: string): RpcStatus | undefined {
  const methods = plan?.methods;
  if (methods === undefined || methods.has(rpcName) || methods.has(rpcName.split('/', 1)[0] ?? '')) return undefined;
  return denied(`${rpcName} is not in the plan of this key`);
}

/** Why a plan excludes the requested height. */
export function refusesHeight(plan: KeyPlan | undefined, metadata: Metadata): RpcStatus | undefined {
  if (plan?.heights === undefined) return undefined;
  const { from, to } = plan.heights;
  const digits = requestedHeight(metadata);
  const height = digits === undefined ? undefined : BigInt(digits);
  const isIn = height === undefined ? to === undefined : height >= from && (to === undefined || height <= to);
  return isIn
    ? undefined
    : denied(`${digits === undefined ? 'The latest height' : `Height ${digits}`} is not in the plan of this key`);
}

/** Request rules of a plan, in addition to those of the gateway. */
export function rulesOfPlan(plan: KeyPlan | undefined): readonly RequestRule[] {
  return plan?.pageLimit === undefined ? NO_RULES : [pageCap(BigInt(plan.pageLimit))];
}

const NO_RULES: readonly RequestRule[] = [];

function denied(message: string): RpcStatus {
  return { code: GRPC_CODES.permissionDenied, message, details: [] };
}

/** An API key: its name and its hash. */
export interface ApiKey {
  /** For logs and limits; letters, digits, `.`, `_` and `-`. */
  readonly name: string;
  /** SHA-256 of the key. Keys are random, so a slow hash would protect nothing more. */
  readonly digest: Uint8Array;
  /** Omitted: the gateway's defaults apply. */
  readonly plan?: KeyPlan | undefined;
}
