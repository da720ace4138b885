/** Requests that the chain has an answer for, in JSON with names as declared, by the name of their rpc: `ixo.entity.v1beta1.Query/Entity`. */
export type ExampleRequests = Readonly<Record<string, object>>;

/** What a request holds at a path of fields such as `pagination.limit`; undefined where it holds nothing. */
export function valueAt(request: unknown, fieldPath: string): unknown {
  return fieldPath.split('.').reduce((value: unknown, name) => {
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  }, request);
}

/** What is left of a request for its body: the field of that name, or with `*` all that the path does not hold. */
export function bodyOf(request: object, body: string, bound: ReadonlySet<string>): unknown {
  if (body !== '*') return valueAt(request, body);
  return Object.fromEntries(Object.entries(request).filter(([name]) => !bound.has(name)));
}
