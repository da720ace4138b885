/** Headers of HTTP that may go to a node, as `grpcgateway-…`. Source: the permanent names of IANA that grpc-gateway passes on. */
export const PERMANENT_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-language',
  'accept-ranges',
  'cache-control',
  'content-type',
  'cookie',
  'date',
  'expect',
  'from',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-schedule-tag-match',
  'if-unmodified-since',
  'max-forwards',
  'origin',
  'pragma',
  'referer',
  'user-agent',
  'via',
  'warning',
]);

/** The prefix of such a header's name at the node. */
export const PERMANENT_PREFIX = 'grpcgateway-';
