/*
 * A line is how a session came in: the aggregator, and behind it the service that was dialled, `hubtel/clinic`. That of the default service
 * is the aggregator alone. Sessions, their MACs and seals, lost places and effects belong to a line, so that nothing of one service is
 * found by another's code. Neither name has a slash.
 */
const defaultService = 'default';

export function lineOf(aggregator: string, service: string): string {
  return service === defaultService ? aggregator : `${aggregator}/${service}`;
}

/** The line without its service. */
export function withoutService(line: string): string {
  return line.split('/', 1)[0] ?? line;
}

/** The service that a line leads to. */
export function serviceOn(line: string): string {
  const at = line.indexOf('/');
  return at < 0 ? defaultService : line.slice(at + 1);
}
