import { parse } from 'node:querystring';
import { ServiceError } from '@mlango/service-kit/errors';
import { isObject, parseJson, withoutByteOrderMark } from '@mlango/service-kit/parse-json';
import type { z } from 'zod';
import type { KeyPress } from '../engine/find-new-input.js';
import type { KnownCodes } from './dialled.js';

/** A decoded request of an aggregator. */
export type AggregatorRequest =
  | {
      readonly kind: 'hop';
      readonly sessionId: string;
      /** E.164, by `aggregatorFields` of `@mlango/schemas/ussd-aggregators`. */
      readonly phoneNumber: string;
      /** Empty if the aggregator does not send it. */
      readonly serviceCode: string;
      readonly text: string;
      /** Set if the text does not accumulate. */
      readonly press?: KeyPress;
      /** Network of the caller, if the aggregator sends it. */
      readonly network?: string | undefined;
    }
  /** The session is over: the user hung up, or the network ended it. */
  | { readonly kind: 'close'; readonly sessionId: string; readonly phoneNumber: string | undefined };

/** Reply for the handset. */
export interface HandsetReply {
  readonly message: string;
  readonly closes: boolean;
  /** HTTP status if the request was not served. */
  readonly failure?: number;
}

/** A reply body: a text is sent unchanged, an object as JSON. */
export interface Encoded {
  readonly body: string | Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One endpoint that an aggregator calls. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly summary: string;
  /** Fields of a request, for the API description; a GET has them in its query. */
  readonly wire: z.ZodObject;
  /** Example request in the aggregator's format, for the API description. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Fields of `wire` in the path. */
  readonly inPath: readonly string[];
  /** Content type accepted besides JSON, first in the API description. */
  readonly form: boolean;
  /** Parses a body sent as plain text; undefined if such a body is refused. */
  readonly readText?: ((body: string) => unknown) | undefined;
  readonly reply: { readonly type: 'text/plain' | 'application/json'; readonly schema: z.ZodType };
  /** @throws {ServiceError} `invalid_argument`. */
  decode(raw: unknown): AggregatorRequest;
  /** @param raw the request, valid or not: some gateways expect parts of it in the reply. */
  encode(reply: HandsetReply, raw: unknown): Encoded;
}

export interface Aggregator {
  /** Name of its folder; in capitals, part of its variables. */
  readonly id: string;
  /**
   * Content of its text: all input of the session; the last input only, with its press; or by `USSD_TEXT_MODE`.
   * `engine/find-new-input.ts` takes it apart.
   */
  readonly text: 'accumulated' | 'latest' | 'configured';
  readonly endpoints: readonly Endpoint[];
}

export interface AggregatorRules {
  /** Most groups of digits in a service code. */
  readonly serviceCodeLevels: number;
  readonly codes: KnownCodes;
  /**
   * Service code of a service id, for channels without a code.
   *
   * @throws {ServiceError} `invalid_argument` if the settings have none.
   */
  readonly codeOfService: (serviceId: string) => string;
  /**
   * Session id for an aggregator that sends none: the same for each call of a subscriber, and not derivable from the
   * gateway's data.
   */
  readonly nameSession: (aggregator: string, phoneNumber: string, sessionId: string) => string;
}

export type MakeAggregator = (rules: AggregatorRules) => Aggregator;

/** Verification of an aggregator's requests: names of variables, never their values. */
export interface SecretField {
  /** Variable with the secret. */
  readonly secret?: string | undefined;
  /** Header and query parameter with the secret: by default `X-Aggregator-Secret` and `secret`. */
  readonly header?: string | undefined;
  readonly parameter?: string | undefined;
  /** Variable with the addresses. */
  readonly addresses?: string | undefined;
}

/** An aggregator supported by this service. */
export interface KnownAggregator {
  readonly id: string;
  /** Display name for operators. */
  readonly name: string;
  readonly caller: SecretField;
  readonly make: MakeAggregator;
}

/** Fields of a request by name, if they are texts or numbers; other values are empty. */
export type Echo = (name: string) => string;

interface EndpointSpec<Wire extends z.ZodObject>
  extends Omit<Endpoint, 'wire' | 'inPath' | 'form' | 'readText' | 'decode' | 'encode'> {
  readonly wire: Wire;
  readonly inPath?: readonly string[];
  readonly form?: boolean;
  /** A request must be JSON, with each name in its exact case. */
  readonly strict?: boolean;
  /** Parses the end of a session reported to this endpoint, ignoring the rest of the request; undefined for a hop. */
  readonly end?: (fields: unknown) => AggregatorRequest | undefined;
  readonly toRequest: (wire: z.output<Wire>) => AggregatorRequest;
  readonly toReply: (reply: HandsetReply, echo: Echo) => Encoded;
}

/** Builds an endpoint from its wire schema and two functions that map it to sessions and back. */
export function defineEndpoint<Wire extends z.ZodObject>(spec: EndpointSpec<Wire>): Endpoint {
  const { wire, end, toRequest, toReply, inPath = [], form = false, strict = false, ...rest } = spec;
  const names = Object.keys(wire.shape);
  const read = (raw: unknown) => (strict ? raw : nameFields(raw, names));
  return {
    ...rest,
    wire,
    inPath,
    form,
    readText: strict ? undefined : (body) => fieldsIn(body, form),
    decode: (raw) => {
      const sent = read(raw);
      const ended = end?.(sent);
      if (ended !== undefined) return ended;
      const parsed = wire.safeParse(sent);
      if (parsed.success) return toRequest(parsed.data);
      const fields = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
      throw new ServiceError('invalid_argument', `invalid: ${fields.slice(0, 200)}`);
    },
    encode: (reply, raw) => toReply(reply, echoOf(read(raw))),
  };
}

/** Fields of a body sent as plain text: JSON, else a form if the endpoint accepts forms. */
function fieldsIn(body: string, form: boolean): unknown {
  const json = parseJson(withoutByteOrderMark(body));
  return json === undefined && form ? readForm(body) : json;
}

/** Fields of a form; a list for a repeated name. */
export function readForm(body: string): Record<string, unknown> {
  return { ...parse(withoutByteOrderMark(body)) };
}

/** Fields under their documented names: some gateways send `SessionID`, others `SESSIONID`. */
function nameFields(raw: unknown, names: readonly string[]): unknown {
  if (!isObject(raw)) return raw;
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    const documented = names.find((known) => known.toLowerCase() === name.toLowerCase());
    if (documented === undefined) continue;
    // The exact name takes precedence over one in another case, in any order.
    if (name === documented || !Object.hasOwn(fields, documented)) fields[documented] = value;
  }
  return fields;
}

/** Most characters of a field in a reply: no valid one is longer. */
const echoChars = 182;

function echoOf(raw: unknown): Echo {
  return (name) => {
    const value = isObject(raw) && Object.hasOwn(raw, name) ? raw[name] : undefined;
    const text = typeof value === 'number' ? String(value) : value;
    return typeof text === 'string' ? text.slice(0, echoChars).replaceAll(/\p{Surrogate}/gu, '') : '';
  };
}

/** `CON` or `END` before the message, as plain text. */
export function textReply(reply: HandsetReply): Encoded {
  return { body: `${reply.closes ? 'END' : 'CON'} ${reply.message}` };
}
