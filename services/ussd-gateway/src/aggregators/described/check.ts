import { compileDescription, fieldsOf } from './compile.js';
import type { Description } from './description.js';

/** What is wrong at a place of a description. */
export interface DescriptionProblem {
  readonly at: readonly string[];
  readonly says: string;
}

/** Segments behind `/api/ussd/` that are routes of the service itself. */
const reservedIds = ['analytics', 'callbacks', 'customers', 'debug', 'link', 'pushes', 'sessions', 'simulator'];
/** Headers that the server, a proxy or the protocol sets. */
const reservedHeaders =
  /^(?:connection|content-.*|cookie|date|expect|forwarded|host|keep-alive|set-cookie|te|trailer|transfer-encoding|upgrade|x-forwarded-.*|x-hop-method)$/i;

/** All that is wrong with a description whose parts each have their form. */
export function checkDescription(id: string, description: Description): DescriptionProblem[] {
  const problems = [
    ...checkAddress(id, description),
    ...checkFields(description),
    ...checkDial(description),
    ...checkReply(description),
    ...checkVerify(description),
  ];
  return problems.length > 0 ? problems : tryExample(id, description);
}

function checkAddress(id: string, { method, path, body }: Description): DescriptionProblem[] {
  const problems: DescriptionProblem[] = [];
  const own = `/api/ussd/${id}`;
  if (!/^[a-z][a-z0-9]{1,30}$/.test(id))
    problems.push({
      at: [],
      says: `"${id}" is no id: name the file <id>.aggregator.yaml, the id 2 to 31 small letters and digits`,
    });
  if (reservedIds.includes(id))
    problems.push({ at: [], says: `${own} is a route of this service: name the file otherwise` });
  if (path !== undefined && path !== own && !path.startsWith(`${own}/`))
    problems.push({
      at: ['path'],
      says: `must begin with ${own}: other paths belong to this service and to other aggregators`,
    });
  if (method === 'GET' && body !== undefined)
    problems.push({ at: ['body'], says: 'a GET has no body: remove it, or use POST' });
  if (method !== 'GET' && body === undefined)
    problems.push({ at: ['method'], says: `a ${method} needs body: json or body: form` });
  return problems;
}

function checkFields({ request, reply, example }: Description): DescriptionProblem[] {
  const { session, others = {}, close, kind } = request;
  const names = fieldsOf(request);
  const problems: DescriptionProblem[] = names
    .filter((name, index) => names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) !== index)
    .map((name) => ({
      at: ['request'],
      says: `${name} is used twice: each field has one meaning, in any case of its letters`,
    }));
  for (const name of names.filter((one) => one in {}))
    problems.push({ at: ['request'], says: `${name} is a name that JavaScript reserves, and cannot be a field` });
  const isKnown = (name: string) => names.includes(name);
  if (session.per !== undefined && session.optional !== true)
    problems.push({ at: ['request', 'session', 'per'], says: 'needs optional: true beside it' });
  if (session.per !== undefined && !Object.hasOwn(others, session.per))
    problems.push({ at: ['request', 'session', 'per'], says: `add ${session.per}: required to request.others` });
  if (close?.present.length === 0)
    problems.push({ at: ['request', 'close', 'present'], says: 'names no field, so nothing recognises a close' });
  for (const [name, part] of Object.entries(reply.json ?? {})) {
    if (part !== 'message' && 'echo' in part && !isKnown(part.echo))
      problems.push({ at: ['reply', 'json', name, 'echo'], says: `add ${part.echo}: optional to request.others` });
  }
  for (const name of Object.keys(example).filter((one) => !isKnown(one)))
    problems.push({ at: ['example', name], says: `is no field of request: it has ${names.join(', ')}` });
  const values = [...(kind?.dial ?? []), ...(kind?.input ?? []), ...(kind?.close ?? [])];
  for (const value of new Set(values.filter((one, index) => values.indexOf(one) !== index)))
    problems.push({ at: ['request', 'kind'], says: `the value ${value} stands twice: it marks one kind of request` });
  if (values.filter((value) => value.endsWith('+')).length > 1)
    problems.push({
      at: ['request', 'kind'],
      says: 'has two least numbers: one is enough, the other kinds list their values',
    });
  for (const value of values.filter((one) => one.endsWith('+') && !/^[0-9]{1,9}\+$/.test(one)))
    problems.push({ at: ['request', 'kind'], says: `${value} is no least number, such as 29+` });
  return problems;
}

/** What tells a dial from an input, so that a missing field never dials. */
function checkDial({ text, request }: Description): DescriptionProblem[] {
  const { kind, serviceCode, shortcut, sequence } = request;
  const given = { kind, shortcut, sequence };
  const at = (name: string) => ['request', name];
  if (text === 'accumulated') {
    const problems = Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name]) => ({
        at: at(name),
        says: 'is for text: latest alone: with text that accumulates the text tells a dial',
      }));
    if (serviceCode === undefined)
      problems.push({ at: ['request'], says: 'needs serviceCode: with text that accumulates no input has the code' });
    return problems;
  }
  if (serviceCode?.shared === true)
    return [{ at: [...at('serviceCode'), 'shared'], says: 'is for text: accumulated alone' }];
  if (kind !== undefined) return [];
  return Object.entries({ serviceCode, shortcut, sequence })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => ({ at: at(name), says: 'needs request.kind: without it the code is read from the input' }));
}

function checkReply({ reply: { prefix, header, json } }: Description): DescriptionProblem[] {
  const problems: DescriptionProblem[] = [];
  if (prefix !== undefined && json !== undefined)
    problems.push({
      at: ['reply', 'prefix'],
      says: 'a reply is a text with a prefix or a JSON object: remove prefix or json',
    });
  const parts = Object.entries(json ?? {});
  if (json !== undefined && !parts.some(([, part]) => part === 'message'))
    problems.push({ at: ['reply', 'json'], says: 'no field has the message: add one, such as message: message' });
  if (header !== undefined && reservedHeaders.test(header.name))
    problems.push({
      at: ['reply', 'header', 'name'],
      says: `${header.name} is set by the server: name another header`,
    });
  const ways = [
    { at: ['reply', 'prefix'], way: prefix },
    { at: ['reply', 'header'], way: header },
    ...parts.map(([name, part]) => ({
      at: ['reply', 'json', name],
      way: part !== 'message' && 'continue' in part ? part : undefined,
    })),
  ];
  const telling = ways.filter(({ way }) => way !== undefined);
  if (telling.every(({ way }) => way?.continue === way?.close)) {
    const says =
      'nothing says whether the session goes on: give prefix, header or a field of json with different continue and close';
    problems.push({ at: telling[0]?.at ?? ['reply'], says });
  }
  return problems;
}

function checkVerify({ request, verify: { secret, header, parameter, addresses } }: Description): DescriptionProblem[] {
  const problems: DescriptionProblem[] = [];
  if (secret === undefined && addresses === undefined)
    problems.push({
      at: ['verify'],
      says: 'names no variable: give secret: AGGREGATOR_<NAME>_SECRET, addresses: AGGREGATOR_<NAME>_CIDRS, or both',
    });
  for (const [name, value] of Object.entries({ header, parameter })) {
    if (value !== undefined && secret === undefined)
      problems.push({
        at: ['verify', name],
        says: 'needs secret: the variable that has the secret, AGGREGATOR_<NAME>_SECRET',
      });
  }
  if (header !== undefined && reservedHeaders.test(header))
    problems.push({ at: ['verify', 'header'], says: `${header} is set by the server or a proxy: name another header` });
  const taken = [...fieldsOf(request), 'hop'].find((name) => name.toLowerCase() === parameter?.toLowerCase());
  if (taken !== undefined)
    problems.push({
      at: ['verify', 'parameter'],
      says: `${parameter} is read as something else: name another parameter`,
    });
  return problems;
}

/** Reads the example as the service would, where every code is served. */
function tryExample(id: string, description: Description): DescriptionProblem[] {
  const make = compileDescription(id, description);
  const { doors } = make({
    serviceCodeLevels: 8,
    codes: { names: () => false, takesUnnamed: () => true, mayBeMissing: true },
    codeOfService: (serviceId) => serviceId,
    nameSession: (...parts) => parts.join(' '),
  });
  try {
    const asked = doors[0]?.decode(doors[0].example);
    const dials =
      asked?.kind === 'hop' && (asked.press === undefined || asked.press.dials || asked.press.mayDial !== undefined);
    return dials ? [] : [{ at: ['example'], says: 'is no request that begins a session' }];
  } catch (error) {
    return [{ at: ['example'], says: `cannot be read: ${error instanceof Error ? error.message : String(error)}` }];
  }
}
