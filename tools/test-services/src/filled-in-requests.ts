/** An operation of an OpenAPI document, with the values that Swagger UI fills in by default. */
export interface FilledInRequest {
  /** `GET /sessions/{sessionId}`. */
  readonly operation: string;
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Required values without an example in the document, by name; `body` for the body. Swagger UI sends nothing without them. */
  readonly missing: readonly string[];
  /** Whether the document declares a status. */
  readonly declares: (status: number) => boolean;
}

export interface DescribedApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

type Examples = Readonly<Record<string, { readonly value?: unknown }>>;

interface Parameter extends Schema {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Examples;
}

interface Schema {
  readonly $ref?: string;
  readonly example?: unknown;
  readonly examples?: Examples | readonly unknown[];
  readonly default?: unknown;
}

/** Every operation of a document as one click on "Execute" sends it. */
export function filledInRequests(api: DescribedApi): FilledInRequest[] {
  return Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => fillIn(api, path, method.toUpperCase(), operation)),
  );
}

function fillIn(api: DescribedApi, path: string, method: string, operation: Operation): FilledInRequest {
  const given = (operation.parameters ?? []).map((parameter) => ({ ...parameter, texts: textsOf(parameter) }));
  const inPlace = (place: string) => given.filter((parameter) => parameter.in === place);
  const query = new URLSearchParams(
    inPlace('query').flatMap(({ name, texts }) => texts.map((text): [string, string] => [name, text])),
  );
  const filled = inPlace('path').reduce(
    (url, { name, texts }) =>
      texts.length === 0 ? url : url.replace(`{${name}}`, texts.map(encodeURIComponent).join()),
    path,
  );
  const { type, body } = bodyOf(api, operation);
  const headers = inPlace('header').flatMap(({ name, texts }) => (texts.length === 0 ? [] : [[name, texts.join()]]));
  const absent = given.filter(({ required, texts }) => required === true && texts.length === 0);
  const declared = Object.keys(operation.responses);
  return {
    operation: `${method} ${path}`,
    method: method as FilledInRequest['method'],
    url: query.size === 0 ? filled : `${filled}?${query.toString()}`,
    headers: { ...Object.fromEntries(headers), ...(body === undefined ? {} : { 'content-type': type }) },
    body,
    missing: [
      ...absent.map(({ name }) => name),
      ...(operation.requestBody !== undefined && body === undefined ? ['body'] : []),
    ],
    declares: (status) => [String(status), `${String(status)[0]}XX`, 'default'].some((each) => declared.includes(each)),
  };
}

function textsOf(parameter: Parameter): string[] {
  const value = firstExample(parameter) ?? parameter.schema?.example ?? parameter.schema?.default;
  return value === undefined ? [] : (Array.isArray(value) ? value : [value]).map(String);
}

function bodyOf(api: DescribedApi, { requestBody }: Operation): { type: string; body: string | undefined } {
  const [type = '', content = {}] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const example = firstExample(content) ?? firstExample(schemaOf(api, content.schema));
  return { type, body: example === undefined ? undefined : printed(type, example) };
}

function printed(type: string, example: unknown): string {
  if (typeof example === 'string') return example;
  if (type === 'application/x-www-form-urlencoded')
    return String(new URLSearchParams(example as Record<string, string>));
  return JSON.stringify(example);
}

function schemaOf(api: DescribedApi, schema: Schema = {}): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : schemaOf(api, api.components?.schemas?.[name]);
}

function firstExample({ example, examples }: Pick<Schema, 'example' | 'examples'>): unknown {
  if (example !== undefined || examples === undefined) return example;
  return Array.isArray(examples) ? examples[0] : Object.values(examples as Examples)[0]?.value;
}
