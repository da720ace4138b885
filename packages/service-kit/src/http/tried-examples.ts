/** What somebody who tries an API is given: what opens its locks, and things of their own to try it on. */
export interface Tried {
  /** By security scheme. */
  readonly locks: Readonly<Record<string, string>>;
  /** By the name of a parameter, wherever it is asked for. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** By operation, `DELETE /memories/{id}`: what stands there only. */
  readonly operations?: Readonly<
    Record<string, { readonly parameters?: Readonly<Record<string, string>>; readonly body?: unknown }>
  >;
}

interface Described {
  readonly paths: Record<string, Record<string, DescribedOperation | undefined> | undefined>;
}

interface DescribedOperation {
  parameters?: { readonly name: string; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown; examples?: unknown }> };
}

/**
 * Puts what was given in the place of the examples of an OpenAPI document, and gives it back. The page of documentation does so in the
 * browser, by the text of this function: it refers to nothing around it.
 */
export function showTried<Document extends object>(document: Document, tried: Omit<Tried, 'locks'>): Document {
  for (const [path, methods] of Object.entries((document as Described).paths)) {
    for (const [method, operation] of Object.entries(methods ?? {})) {
      const own = tried.operations?.[`${method.toUpperCase()} ${path}`];
      const given = { ...tried.parameters, ...own?.parameters };
      for (const parameter of operation?.parameters ?? []) {
        const value = given[parameter.name];
        if (value !== undefined) parameter.example = value;
      }
      if (own?.body === undefined) continue;
      for (const content of Object.values(operation?.requestBody?.content ?? {})) {
        delete content.examples;
        content.example = own.body;
      }
    }
  }
  return document;
}
