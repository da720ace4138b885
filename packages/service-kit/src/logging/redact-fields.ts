/** Fields whose values never reach a log line, at the top level and up to two levels down. */
const secretFields: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'pin',
  'token',
  'secret',
  'invocation',
  'delegation',
  'ucanDelegation',
  'raw',
  'text',
  'x-ucan-delegation',
  'accessToken',
  'x-matrix-access-token',
  'x-matrix-homeserver',
  'homeServer',
  'x-aggregator-secret',
]);

const depthLimit = 2;
const redacted = '[redacted]';

/** The fields of a log line with secrets replaced. What holds none is passed on as it is, not copied. */
export function redactFields(fields: Record<string, unknown>, depth = 0): Record<string, unknown> {
  let clean: Record<string, unknown> | undefined;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    const shown = secretFields.has(name) ? redacted : redactValue(value, depth);
    if (shown === value) continue;
    clean ??= { ...fields };
    clean[name] = shown;
  }
  return clean ?? fields;
}

function redactValue(value: unknown, depth: number): unknown {
  const isFields = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Error);
  return isFields && depth < depthLimit ? redactFields(value as Record<string, unknown>, depth + 1) : value;
}
