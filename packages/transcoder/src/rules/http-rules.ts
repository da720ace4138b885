import {
  type DescExtension,
  type DescMethod,
  type FileRegistry,
  getOption,
  hasOption,
  type JsonValue,
  toJson,
} from '@bufbuild/protobuf';

/** One binding of a method to HTTP, as the descriptors state it. */
export interface HttpBinding {
  /** An HTTP method in capitals, or `*`. */
  readonly method: string;
  readonly template: string;
  readonly body: string;
  readonly responseBody: string;
}

/** An rpc that can be served over HTTP, with its bindings, the primary one first. */
export interface BoundMethod {
  readonly rpc: DescMethod;
  readonly bindings: readonly [HttpBinding, ...HttpBinding[]];
}

const VERBS = ['get', 'put', 'post', 'delete', 'patch'] as const;

/** Every unary and server-streaming method of the registry that has a `google.api.http` rule. */
export function readHttpRules(registry: FileRegistry): BoundMethod[] {
  const option = registry.getExtension('google.api.http');
  if (option === undefined) return [];
  const methods: BoundMethod[] = [];
  for (const file of registry.files) {
    for (const service of file.services) {
      for (const rpc of service.methods) {
        if (rpc.methodKind !== 'unary' && rpc.methodKind !== 'server_streaming') continue;
        const [primary, ...rest] = readBindings(rpc, option);
        if (primary !== undefined) methods.push({ rpc, bindings: [primary, ...rest] });
      }
    }
  }
  return methods;
}

/** `ixo.claims.v1beta1.Query/ClaimList` */
export function nameOfRpc(rpc: DescMethod): string {
  return `${rpc.parent.typeName}/${rpc.name}`;
}

function readBindings(rpc: DescMethod, option: DescExtension): HttpBinding[] {
  if (!hasOption(rpc, option) || option.fieldKind !== 'message') return [];
  const value: unknown = getOption(rpc, option);
  // The option's own descriptor reads it, so that an image may carry a later version of the rule.
  const json = toJson(option.message, value as Parameters<typeof toJson>[1]);
  return asObject(json) === undefined ? [] : flatten(asObject(json) ?? {});
}

function flatten(rule: JsonObject): HttpBinding[] {
  const rest = { body: asText(rule['body']), responseBody: asText(rule['responseBody']) };
  const custom = asObject(rule['custom']);
  const own: HttpBinding[] = VERBS.flatMap((verb) => {
    const template = asText(rule[verb]);
    return template === '' ? [] : [{ method: verb.toUpperCase(), template, ...rest }];
  });
  if (custom !== undefined) {
    own.push({ method: asText(custom['kind']).toUpperCase(), template: asText(custom['path']), ...rest });
  }
  const more = rule['additionalBindings'];
  const additional = Array.isArray(more) ? more.flatMap((binding) => flatten(asObject(binding) ?? {})) : [];
  return [...own, ...additional];
}

type JsonObject = { readonly [name: string]: JsonValue };

function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

function asText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
