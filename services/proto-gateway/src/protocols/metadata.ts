import {
  type Caller,
  type HeaderPairs,
  METADATA_PREFIX,
  type Metadata,
  printMetadata,
  toMetadata,
} from '@mlango/transcoder/metadata';

/** Headers of HTTP, browsers, proxies and the protocols themselves. */
const NOT_METADATA = new RegExp(
  [
    '^(?:accept(?:-.*)?|baggage|cache-control|cdn-.*|cf-.*|connect-.*|content-.*|cookie2?|dnt|early-data|expect|fastly-.*',
    'forwarded|from|grpc-(?!metadata-).*|if-.*|origin|pragma|priority|purpose|range|referer|save-data|sec-.*|trace.*|true-client-ip',
    'upgrade-.*|via|warning|x-amz.*|x-b3-.*|x-client-ip|x-cloud-.*|x-envoy-.*|x-forwarded-.*|x-grpc-web|x-min-block-height|x-real-ip|x-request-id',
    'x-requested-with|x-user-agent)$',
  ].join('|'),
  'i',
);

/** Metadata of a request for the node: all headers that are not for HTTP, browsers, proxies or the gateway. */
export function requestMetadata(headers: HeaderPairs, caller: Caller): Metadata {
  const meant = headers.filter(([name]) => !NOT_METADATA.test(name));
  return toMetadata(
    meant.map(([name, value]) => {
      const isPrefixed = name.toLowerCase().startsWith(METADATA_PREFIX);
      return [isPrefixed || name.toLowerCase() === 'authorization' ? name : `${METADATA_PREFIX}${name}`, value];
    }),
    caller,
  );
}

/** Names with a meaning for browsers and caches: a node must not set them for the gateway. */
const HEADERS_OF_HTTP = new RegExp(
  [
    '^(?:access-control-.*|age|allow|alt-svc|authorization|cache-control|clear-site-data|connect-.*|content-.*|cookie2?',
    'cross-origin-.*|document-.*|etag|expires|last-modified|link|location|nel|origin-.*|permissions-policy|pragma|ratelimit.*',
    'referrer-policy|refresh|report.*|retry-after|sec-.*|server-.*|service-worker.*|set-cookie2?|sourcemap|speculation-.*',
    'strict-.*|timing-.*|trailer-.*|vary|via|warning|www-.*|x-(?:content|dns|download|frame|permitted|powered|request-id|xss).*)$',
  ].join('|'),
);

/** A node's metadata as headers of a reply, under their own names. */
export function metadataAsHeaders(metadata: Metadata): Map<string, string[]> {
  return printMetadata(
    '',
    metadata.filter(([name]) => !HEADERS_OF_HTTP.test(name)),
  );
}
