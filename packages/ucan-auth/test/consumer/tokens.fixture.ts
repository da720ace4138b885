import {
  type Capability,
  DEFAULT_LIMITS,
  type DecodedToken,
  type DecodedUcan,
  type Decoding,
  decodeToken,
  type RefusalCode,
  type TokenLimits,
} from '@mlango/ucan-auth/decode-token';
import {
  type DidResolver,
  type KeyResolution,
  type LookupLimits,
  type LookupPools,
  lookupPools,
} from '@mlango/ucan-auth/did-resolver';
import {
  createDownstream,
  type DownstreamCall,
  type DownstreamOptions,
  type DownstreamResult,
  type DownstreamService,
} from '@mlango/ucan-auth/downstream';
import {
  type DelegationOptions,
  type InvocationOptions,
  mintDelegation,
  mintInvocation,
  mintRevocation,
  type RevocationOptions,
  signerFromMnemonic,
  signerFromSeed,
  type UcanSigner,
  UnreadableTokenError,
} from '@mlango/ucan-auth/minting';
import {
  createServiceDids,
  type ServiceDidOptions,
  type ServiceDidProblem,
  type ServiceDidResult,
  type ServiceDids,
} from '@mlango/ucan-auth/service-did';

// A client that mints, decodes and delegates tokens, without a cast.

export const signers: readonly UcanSigner[] = [signerFromSeed(new Uint8Array(32)), signerFromMnemonic('some words')];

export async function mint(signer: UcanSigner, audience: string): Promise<{ token: string } | RefusalCode> {
  const capability: Capability = { can: 'store/add', with: `${signer.did}/box`, nb: { most: 3 } };
  const grant: DelegationOptions = { signer, audience, capabilities: [capability] };
  const invocation: InvocationOptions = { signer, audience, capability, proofs: [await mintDelegation(grant)] };
  try {
    const token = await mintInvocation(invocation);
    const revocation: RevocationOptions = { signer, audience, token };
    return { token: await mintRevocation(revocation) };
  } catch (error) {
    if (error instanceof UnreadableTokenError) return error.code;
    throw error;
  }
}

export function capabilitiesIn(text: string): readonly Capability[] {
  const limits: TokenLimits = { ...DEFAULT_LIMITS, blocks: 3 };
  const decoding: Decoding = decodeToken(text, limits);
  return decoding.ok ? all(decoding.token).flatMap((ucan) => ucan.capabilities) : [];
}

function all({ root, ucans }: DecodedToken): readonly DecodedUcan[] {
  return [root, ...root.proofs, ...ucans];
}

export async function keyCount(resolver: DidResolver, did: string): Promise<number> {
  const resolution: KeyResolution = await resolver.resolve(did);
  return resolution.ok ? resolution.keys.length : 0;
}

export async function audienceOf(
  origin: string,
  options: ServiceDidOptions,
): Promise<{ did: string } | ServiceDidProblem> {
  const services: ServiceDids = createServiceDids(options);
  const result: ServiceDidResult = await services.read(origin);
  return result.ok ? { did: result.did } : result.code;
}

/** Names of the semaphores in the metrics of a process. */
export function poolNames(limits: LookupLimits): string[] {
  const pools: LookupPools = lookupPools(limits);
  return Object.values(pools).map(({ name }) => name);
}

/** The other service of a call, by its DID. */
export const known = (audience: string): DownstreamService => ({ audience });

export async function askFor(call: DownstreamCall, options: DownstreamOptions): Promise<string> {
  const result: DownstreamResult = await createDownstream(options)(call);
  return result.ok ? result.token : result.code;
}
