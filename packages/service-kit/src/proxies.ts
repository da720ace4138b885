/**
 * What Fastify needs to find a caller's address behind reverse proxies: the ranges whose `X-Forwarded-For` is believed,
 * or `false` to believe nobody. The address taken is the right-most one that is not itself a trusted proxy.
 */
export function trustedProxies(config: {
  TRUST_PROXY_ENABLED: boolean;
  TRUST_PROXY_CIDRS: readonly string[];
}): string[] | false {
  return config.TRUST_PROXY_ENABLED && config.TRUST_PROXY_CIDRS.length > 0 ? [...config.TRUST_PROXY_CIDRS] : false;
}
