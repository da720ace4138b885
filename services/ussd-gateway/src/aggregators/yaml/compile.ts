import { serviceCodePattern } from '@mlango/schemas/ussd';
import { aggregatorFields } from '@mlango/schemas/ussd-aggregators';
import { z } from 'zod';
import { networkName } from '../../engine/caller-facts.js';
import {
  type AggregatorRequest,
  type AggregatorRules,
  defineEndpoint,
  type Echo,
  type Encoded,
  type HandsetReply,
  type MakeAggregator,
} from '../adapter.js';
import { type Dialled, looksDialled, readDialled, readPossibleDial, readShared } from '../dialled.js';
import type { Description } from './description.js';

type Request = Description['request'];
type Fields = Readonly<Record<string, unknown>>;
type Hop = Extract<AggregatorRequest, { kind: 'hop' }>;
type Kind = 'dial' | 'input' | 'close';

const { accumulated, input, msisdn, network, serviceCode, sequence, sessionId, word } = aggregatorFields;
const anything = z.unknown().optional();

/** Adapter of a description without problems (`checkDescription`). Decisions that need no request are made once, at start. */
export function compileDescription(id: string, description: Description): MakeAggregator {
  const { name, method, path = `/api/ussd/${id}`, body, text, request } = description;
  return (rules) => ({
    id,
    text,
    endpoints: [
      defineEndpoint({
        method,
        path,
        form: body === 'form',
        example: exampleOf(description),
        summary: `One hop, as ${name} sends it${closeOf(request) === undefined ? '' : ', or the end of a session'}`,
        wire: wireOf(description, rules),
        reply: {
          type: description.reply.json === undefined ? 'text/plain' : 'application/json',
          schema: replyOf(description),
        },
        end: readClose(id, request, rules),
        toRequest: readHop(id, description, rules),
        toReply: writeReply(description),
      }),
    ],
  });
}

/** Names of all fields that a description reads, repeated if a field is read twice. */
export function fieldsOf({ session, phone, input: typed, ...rest }: Request): string[] {
  const { serviceCode: code, shortcut, network: net, sequence: number, kind, close, others = {} } = rest;
  const optional = [code?.field, shortcut, net?.field, number, kind?.field];
  const named = optional.filter((name) => name !== undefined);
  return [session.field, phone, typed, ...named, ...(close?.present ?? []), ...Object.keys(others)];
}

function exampleOf({ example }: Description): Record<string, unknown> {
  const shown = (value: string) => (value === 'true' || value === 'false' ? value === 'true' : value);
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, shown(value)]));
}

function wireOf({ name, text, request }: Description, { serviceCodeLevels }: AggregatorRules): z.ZodObject {
  const { session, phone, kind, serviceCode: code, shortcut, network: net, close, others = {} } = request;
  const isAccumulated = text === 'accumulated';
  const typed = isAccumulated ? accumulated : input;
  const shape: Record<string, z.ZodType> = {
    [session.field]: sessionSchema(session),
    [phone]: msisdn,
    // If there is no other mark of a dial, a missing input must not be one.
    [request.input]: (kind === undefined ? typed : typed.nullish()).describe(
      isAccumulated ? 'All that was typed in the session' : 'The last input; on a new session what was dialled',
    ),
  };
  for (const [other, presence] of Object.entries(others)) {
    const value = word.pipe(z.string().max(100));
    shape[other] = presence === 'required' ? value.pipe(z.string().min(1)) : value.nullish();
  }
  if (kind !== undefined) shape[kind.field] = kindSchema(kind);
  if (code !== undefined) {
    const known = code.form === undefined ? serviceCode(serviceCodeLevels) : lastGroup(code.form, serviceCodeLevels);
    shape[code.field] = isAccumulated ? known : known.nullish();
  }
  if (shortcut !== undefined) shape[shortcut] = input.nullish().describe('What was dialled behind the service code');
  if (net !== undefined) shape[net.field] = network;
  if (request.sequence !== undefined) shape[request.sequence] = sequence.nullish();
  for (const field of close?.present ?? []) shape[field] = anything.describe('At the end of a session');
  return z
    .object(shape)
    .describe(`One hop from ${name}; \`${request.input}\` ${isAccumulated ? 'accumulates' : 'is the last input'}`);
}

const sessionSchema = ({ optional }: Request['session']) =>
  optional === true ? z.union([sessionId, z.literal('')]).nullish() : sessionId;

/** A service code of which the request has only the last group. */
const lastGroup = (form: string, levels: number) =>
  word
    .pipe(z.string().regex(/^[0-9]{1,15}$/))
    .transform((group) => form.replace('{}', group))
    .pipe(z.string().regex(serviceCodePattern(levels)));

/** Kind of request marked by each value of the field; other values are refused. */
function kindSchema(kind: NonNullable<Request['kind']>) {
  const find = findKind(kind);
  return z
    .union([z.boolean(), z.number(), z.string()])
    .transform((value) => String(value).trim().toLowerCase())
    .refine((value) => find(value) !== undefined, 'must be one of the values of the description')
    .describe(
      (['dial', 'input', 'close'] as const)
        .filter((one) => kind[one] !== undefined)
        .map((one) => `${one}: ${kind[one]?.join(', ')}`)
        .join('; '),
    );
}

function findKind(kind: NonNullable<Request['kind']>): (value: unknown) => Kind | undefined {
  const exact = new Map<string, Kind>();
  let from = Number.POSITIVE_INFINITY;
  let above: Kind | undefined;
  for (const one of ['dial', 'input', 'close'] as const) {
    for (const value of kind[one] ?? []) {
      if (!value.endsWith('+')) exact.set(value, one);
      else [from, above] = [Number(value.slice(0, -1)), one];
    }
  }
  return (value) => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
    const text = String(value).trim().toLowerCase();
    return exact.get(text) ?? (/^[0-9]{1,9}$/.test(text) && Number(text) >= from ? above : undefined);
  };
}

const textOf = (fields: Fields, name: string | undefined): string => {
  const value = name === undefined ? undefined : fields[name];
  return typeof value === 'string' ? value : '';
};

function readCaller(id: string, { session, phone }: Request, { nameSession }: AggregatorRules) {
  return (fields: Fields) => {
    const phoneNumber = textOf(fields, phone);
    const sessionId = textOf(fields, session.field) || nameSession(id, phoneNumber, textOf(fields, session.per));
    return { sessionId, phoneNumber };
  };
}

function readHop(id: string, description: Description, rules: AggregatorRules): (fields: Fields) => AggregatorRequest {
  const { request } = description;
  const callerOf = readCaller(id, request, rules);
  const typedOf = readTyped(description, rules);
  const { field: net, names = {} } = request.network ?? { field: '' };
  const nameOf = (value: unknown) => {
    const key = String(value);
    return networkName(Object.hasOwn(names, key) ? names[key] : value);
  };
  return (fields) => ({ kind: 'hop', ...callerOf(fields), ...typedOf(fields), network: nameOf(fields[net]) });
}

type Typed = Pick<Hop, 'serviceCode' | 'text' | 'press'>;

function readTyped({ text, request }: Description, { codes }: AggregatorRules): (fields: Fields) => Typed {
  const { kind, serviceCode: code, shortcut, sequence: number } = request;
  if (text === 'accumulated') {
    const whole = (typed: string, named: string): Dialled => ({ serviceCode: named, text: typed });
    const read = code?.shared === true ? readShared : whole;
    return (fields) => read(textOf(fields, request.input), textOf(fields, code?.field), codes);
  }
  if (kind === undefined) {
    return (fields) => {
      const typed = textOf(fields, request.input);
      // No menu entry has this form.
      if (looksDialled(typed)) return { ...readDialled(typed, undefined, codes), press: { dials: true } };
      // Without a mark the session decides whether this is a dial.
      return { serviceCode: '', text: typed, press: { dials: false, dialIfUnknown: readPossibleDial(typed, codes) } };
    };
  }
  const find = findKind(kind);
  return (fields) => {
    const dials = find(fields[kind.field]) === 'dial';
    const named = textOf(fields, code?.field);
    const typed = textOf(fields, request.input);
    const delivery = textOf(fields, number);
    const press = delivery === '' ? { dials } : { dials, delivery };
    if (!dials) return { serviceCode: named, text: typed, press };
    const dialled = readDialled(typed, named === '' ? undefined : named, codes);
    const behind = textOf(fields, shortcut).replace(/^\*|#$/g, '');
    return { ...dialled, ...(behind === '' ? {} : { text: behind }), press };
  };
}

/** Recognises a request that ends a session; undefined if there is none. */
function closeOf({ input: typed, kind, close }: Request): ((fields: Fields) => boolean) | undefined {
  const find = kind?.close === undefined ? undefined : findKind(kind);
  if (find === undefined && close === undefined) return undefined;
  const isPresent = (value: unknown) => value !== undefined && value !== null;
  return (fields) => {
    if (find?.(fields[kind?.field ?? '']) === 'close') return true;
    const hasInput = isPresent(fields[typed]) && fields[typed] !== '';
    return !hasInput && (close?.present ?? []).some((name) => isPresent(fields[name]));
  };
}

/** A close needs the session and the phone; the rest of the request is ignored. */
function readClose(
  id: string,
  request: Request,
  rules: AggregatorRules,
): (raw: unknown) => AggregatorRequest | undefined {
  const closes = closeOf(request);
  if (closes === undefined) return () => undefined;
  const { session, phone } = request;
  const callerOf = readCaller(id, request, rules);
  const caller = z.looseObject({
    [session.field]: sessionSchema(session),
    [phone]: msisdn,
  });
  return (raw) => {
    if (typeof raw !== 'object' || raw === null || !closes({ ...raw })) return undefined;
    const { data } = caller.safeParse(raw);
    return data && { kind: 'close', ...callerOf(data) };
  };
}

type Scalar = string | number | boolean;

/** Values of a field for both actions: booleans or numbers if both values are, else texts. */
function valuesOf(way: { readonly continue: string; readonly close: string; readonly as?: 'text' | undefined }) {
  const both = [way.continue, way.close];
  const read = (text: string): Scalar => {
    if (way.as === 'text') return text;
    if (both.every((one) => one === 'true' || one === 'false')) return text === 'true';
    return both.every((one) => /^-?(?:0|[1-9][0-9]{0,14})$/.test(one)) ? Number(text) : text;
  };
  return { continue: read(way.continue), close: read(way.close) };
}

function replyOf({ reply: { prefix, header, json } }: Description): z.ZodType {
  if (json === undefined) {
    const marks = [prefix, header].filter((one) => one !== undefined);
    const meanings = marks.map((way) => `\`${way.continue}\` waits for input, \`${way.close}\` closes the session`);
    return z.string().describe(`The screen; ${meanings.join('; ')}`);
  }
  const shape = Object.entries(json).map(([name, part]) => {
    if (part === 'message' || 'echo' in part) return [name, z.string()];
    const { continue: waits, close } = valuesOf(part);
    const meaning = `\`${waits}\` waits for input, \`${close}\` closes the session`;
    return [name, z.literal([waits, close]).describe(meaning)];
  });
  return z.strictObject(Object.fromEntries(shape));
}

function writeReply({
  method,
  reply: { prefix, header, json },
}: Description): (reply: HandsetReply, echo: Echo) => Encoded {
  // A proxy must not answer a GET from its cache.
  const fixed = method === 'GET' ? { 'cache-control': 'no-store' } : {};
  const headersOf = (way: 'continue' | 'close') =>
    header === undefined ? fixed : { ...fixed, [header.name.toLowerCase()]: header[way] };
  const headers = { continue: headersOf('continue'), close: headersOf('close') };
  const before = { continue: prefix?.continue ?? '', close: prefix?.close ?? '' };
  if (json === undefined) {
    return ({ message, closes }) => {
      const way = closes ? 'close' : 'continue';
      return { body: before[way] + message, headers: headers[way] };
    };
  }
  const parts = Object.entries(json).map(([name, part]): [string, (reply: HandsetReply, echo: Echo) => Scalar] => {
    if (part === 'message') return [name, ({ message }) => message];
    if ('echo' in part) return [name, (_, echo) => echo(part.echo)];
    const values = valuesOf(part);
    return [name, ({ closes }) => (closes ? values.close : values.continue)];
  });
  return (reply, echo) => {
    const body: Record<string, Scalar> = {};
    for (const [name, write] of parts) body[name] = write(reply, echo);
    return { body, headers: headers[reply.closes ? 'close' : 'continue'] };
  };
}
