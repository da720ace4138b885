/*
 * A line is how a session came in: the aggregator, and behind it the service that was dialled, `hubtel/clinic`. That of the default service
 * is the aggregator alone. Sessions, their MACs and seals, lost places and effects belong to a line, so that nothing of one service is
 * found by another's code. Neither name has a slash.
 */
const defaultTenant = 'default';

export function scoped(aggregator: string, service: string): string {
  return service === defaultTenant ? aggregator : `${aggregator}/${service}`;
}

/** The line without its service. */
export function unscoped(line: string): string {
  return line.split('/', 1)[0] ?? line;
}

/** The service that a line leads to. */
export function tenantOf(line: string): string {
  const at = line.indexOf('/');
  return at < 0 ? defaultTenant : line.slice(at + 1);
}
