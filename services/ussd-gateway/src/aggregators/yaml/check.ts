import { compileDescription, fieldsOf } from './compile.js';
import type { Description } from './description.js';

/** A problem at a place of a description. */
export interface DescriptionProblem {
  readonly at: readonly string[];
  readonly message: string;
}

/** Path segments behind `/api/ussd/` that are routes of the service itself. */
const reservedIds = ['analytics', 'callbacks', 'customers', 'debug', 'link', 'pushes', 'sessions', 'simulator'];
/** Headers set by the server, a proxy or the protocol. */
const reservedHeaders =
  /^(?:connection|content-.*|cookie|date|expect|forwarded|host|keep-alive|set-cookie|te|trailer|transfer-encoding|upgrade|x-forwarded-.*|x-hop-method)$/i;

/** All problems of a description with individually valid fields. */
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
      message: `"${id}" is no id: name the file <id>.aggregator.yaml, the id 2 to 31 small letters and digits`,
    });
  if (reservedIds.includes(id))
    problems.push({ at: [], message: `${own} is a route of this service: name the file otherwise` });
  if (path !== undefined && path !== own && !path.startsWith(`${own}/`))
    problems.push({
      at: ['path'],
      message: `must begin with ${own}: other paths belong to this service and to other aggregators`,
    });
  if (method === 'GET' && body !== undefined)
    problems.push({ at: ['body'], message: 'a GET has no body: remove it, or use POST' });
  if (method !== 'GET' && body === undefined)
    problems.push({ at: ['method'], message: `a ${method} needs body: json or body: form` });
  return problems;
}

function checkFields({ request, reply, example }: Description): DescriptionProblem[] {
  const { session, others = {}, close, kind } = request;
  const names = fieldsOf(request);
  const problems: DescriptionProblem[] = names
    .filter((name, index) => names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) !== index)
    .map((name) => ({
      at: ['request'],
      message: `${name} is used twice: each field has one meaning, in any case of its letters`,
    }));
  for (const name of names.filter((one) => one in {}))
    problems.push({ at: ['request'], message: `${name} is a name that JavaScript reserves, and cannot be a field` });
  const isKnown = (name: string) => names.includes(name);
  if (session.per !== undefined && session.optional !== true)
    problems.push({ at: ['request', 'session', 'per'], message: 'needs optional: true' });
  if (session.per !== undefined && !Object.hasOwn(others, session.per))
    problems.push({ at: ['request', 'session', 'per'], message: `add ${session.per}: required to request.others` });
  if (close?.present.length === 0)
    problems.push({
      at: ['request', 'close', 'present'],
      message: 'names no field, so no request is recognised as a close',
    });
  for (const [name, part] of Object.entries(reply.json ?? {})) {
    if (part !== 'message' && 'echo' in part && !isKnown(part.echo))
      problems.push({ at: ['reply', 'json', name, 'echo'], message: `add ${part.echo}: optional to request.others` });
  }
  for (const name of Object.keys(example).filter((one) => !isKnown(one)))
    problems.push({ at: ['example', name], message: `is no field of request: it has ${names.join(', ')}` });
  const values = [...(kind?.dial ?? []), ...(kind?.input ?? []), ...(kind?.close ?? [])];
  for (const value of new Set(values.filter((one, index) => values.indexOf(one) !== index)))
    problems.push({
      at: ['request', 'kind'],
      message: `the value ${value} is listed twice: a value marks one kind of request`,
    });
  if (values.filter((value) => value.endsWith('+')).length > 1)
    problems.push({
      at: ['request', 'kind'],
      message: 'has two least numbers: one is enough, the other kinds list their values',
    });
  for (const value of values.filter((one) => one.endsWith('+') && !/^[0-9]{1,9}\+$/.test(one)))
    problems.push({ at: ['request', 'kind'], message: `${value} is no least number, such as 29+` });
  return problems;
}

/** A dial needs a mark, so that a missing field never dials. */
function checkDial({ text, request }: Description): DescriptionProblem[] {
  const { kind, serviceCode, shortcut, sequence } = request;
  const parts = { kind, shortcut, sequence };
  const at = (name: string) => ['request', name];
  if (text === 'accumulated') {
    const problems = Object.entries(parts)
      .filter(([, value]) => value !== undefined)
      .map(([name]) => ({
        at: at(name),
        message: 'is for text: latest alone: text that accumulates marks a dial by being empty',
      }));
    if (serviceCode === undefined)
      problems.push({
        at: ['request'],
        message: 'needs serviceCode: with text that accumulates no input has the code',
      });
    return problems;
  }
  if (serviceCode?.shared === true)
    return [{ at: [...at('serviceCode'), 'shared'], message: 'is for text: accumulated alone' }];
  if (kind !== undefined) return [];
  return Object.entries({ serviceCode, shortcut, sequence })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => ({ at: at(name), message: 'needs request.kind: without it the code is read from the input' }));
}

function checkReply({ reply: { prefix, header, json } }: Description): DescriptionProblem[] {
  const problems: DescriptionProblem[] = [];
  if (prefix !== undefined && json !== undefined)
    problems.push({
      at: ['reply', 'prefix'],
      message: 'a reply is a text with a prefix or a JSON object: remove prefix or json',
    });
  const parts = Object.entries(json ?? {});
  if (json !== undefined && !parts.some(([, part]) => part === 'message'))
    problems.push({ at: ['reply', 'json'], message: 'no field has the message: add one, such as message: message' });
  if (header !== undefined && reservedHeaders.test(header.name))
    problems.push({
      at: ['reply', 'header', 'name'],
      message: `${header.name} is set by the server: name another header`,
    });
  const ways = [
    { at: ['reply', 'prefix'], way: prefix },
    { at: ['reply', 'header'], way: header },
    ...parts.map(([name, part]) => ({
      at: ['reply', 'json', name],
      way: part !== 'message' && 'continue' in part ? part : undefined,
    })),
  ];
  const marks = ways.filter(({ way }) => way !== undefined);
  if (marks.every(({ way }) => way?.continue === way?.close)) {
    const message =
      'no part shows whether the session continues: give prefix, header or a field of json with different values for continue and close';
    problems.push({ at: marks[0]?.at ?? ['reply'], message });
  }
  return problems;
}

function checkVerify({ request, verify: { secret, header, parameter, addresses } }: Description): DescriptionProblem[] {
  const problems: DescriptionProblem[] = [];
  if (secret === undefined && addresses === undefined)
    problems.push({
      at: ['verify'],
      message: 'names no variable: give secret: AGGREGATOR_<NAME>_SECRET, addresses: AGGREGATOR_<NAME>_CIDRS, or both',
    });
  for (const [name, value] of Object.entries({ header, parameter })) {
    if (value !== undefined && secret === undefined)
      problems.push({
        at: ['verify', name],
        message: 'needs secret: the variable that has the secret, AGGREGATOR_<NAME>_SECRET',
      });
  }
  if (header !== undefined && reservedHeaders.test(header))
    problems.push({
      at: ['verify', 'header'],
      message: `${header} is set by the server or a proxy: name another header`,
    });
  const taken = [...fieldsOf(request), 'hop'].find((name) => name.toLowerCase() === parameter?.toLowerCase());
  if (taken !== undefined)
    problems.push({
      at: ['verify', 'parameter'],
      message: `${parameter} is read as something else: name another parameter`,
    });
  return problems;
}

/** Decodes the example as the service would, with every code served. */
function tryExample(id: string, description: Description): DescriptionProblem[] {
  const make = compileDescription(id, description);
  const { endpoints } = make({
    serviceCodeLevels: 8,
    codes: { isListed: () => false, acceptsUnlisted: () => true, mayBeMissing: true },
    codeOfService: (serviceId) => serviceId,
    nameSession: (...parts) => parts.join(' '),
  });
  try {
    const read = endpoints[0]?.decode(endpoints[0].example);
    const dials =
      read?.kind === 'hop' && (read.press === undefined || read.press.dials || read.press.dialIfUnknown !== undefined);
    return dials ? [] : [{ at: ['example'], message: 'is no request that begins a session' }];
  } catch (error) {
    return [{ at: ['example'], message: `cannot be read: ${error instanceof Error ? error.message : String(error)}` }];
  }
}
