import { parse } from 'node:querystring';
import { ServiceError } from '@mlango/service-kit/errors';
import type { z } from 'zod';
import { jsonIn, withoutMark } from '../connectors/json-in.js';
import type { AggregatorRequest, Encoded, Endpoint, HandsetReply } from './adapter.js';

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
  const json = jsonIn(body);
  return json === undefined && form ? readForm(body) : json;
}

/** Fields of a form; a list for a repeated name. */
export function readForm(body: string): Record<string, unknown> {
  return { ...parse(withoutMark(body)) };
}

/** Fields under their documented names: some gateways send `SessionID`, others `SESSIONID`. */
function nameFields(raw: unknown, names: readonly string[]): unknown {
  if (!isFields(raw)) return raw;
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
    const value = isFields(raw) && Object.hasOwn(raw, name) ? raw[name] : undefined;
    const text = typeof value === 'number' ? String(value) : value;
    return typeof text === 'string' ? text.slice(0, echoChars).replaceAll(/\p{Surrogate}/gu, '') : '';
  };
}

function isFields(raw: unknown): raw is Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

/** `CON` or `END` before the message, as plain text. */
export function textReply(reply: HandsetReply): Encoded {
  return { body: `${reply.closes ? 'END' : 'CON'} ${reply.message}` };
}
