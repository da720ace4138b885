import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshFolder } from '../../../test/support/fresh-folder.js';
import { editorProblems, publishedSchema } from '../../flows/published-schema.fixture.js';
import { aggregatorsInCode, shippedAggregators } from '../registry.js';
import { aggregatorIds } from '../shipped.fixture.js';
import { aggregatorFile } from './description.js';
import { readDescriptions, shippedDescriptions } from './read.js';

const described = aggregatorIds.filter((id) => aggregatorsInCode.every((one) => one.id !== id));
const pathOf = (id: string) => join(shippedDescriptions, `${id}.aggregator.yaml`);

/** A sound description, and changes to it. */
const sound = readFileSync(pathOf('nalo'), 'utf8').replaceAll('AGGREGATOR_NALO_', 'AGGREGATOR_DUKA_');

function problemsOf(text: string, name = 'duka.aggregator.yaml'): readonly string[] {
  const folder = freshFolder();
  writeFileSync(join(folder, name), text);
  const { aggregators, problems } = readDescriptions(folder, shippedAggregators());
  expect(aggregators).toHaveLength(problems.length === 0 ? 1 : 0);
  return problems.map((problem) => problem.replace(`${folder}/`, ''));
}

/** Line of a text, from 1. */
const lineOf = (text: string, part: string) => text.slice(0, text.indexOf(part)).split('\n').length;

describe('a description', () => {
  it('is served under the name of its file if it is sound', () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'duka.aggregator.yaml'), sound);
    writeFileSync(join(folder, 'services.yaml'), 'left alone');
    const { aggregators, problems } = readDescriptions(folder, shippedAggregators());
    expect(problems).toEqual([]);
    expect(aggregators).toMatchObject([
      {
        id: 'duka',
        name: 'Nalo',
        caller: { secret: 'AGGREGATOR_DUKA_SECRET', addresses: 'AGGREGATOR_DUKA_CIDRS' },
      },
    ]);
  });

  it.each<[string, string, string, string]>([
    ['an unknown field', 'method: POST', 'methods: POST', 'there is no "methods" here'],
    ['an unknown property of a field', 'per: USERID', 'perhaps: USERID', 'request.session: there is no "perhaps" here'],
    ['a missing property', 'phone: MSISDN\n  ', '', 'request.phone: is missing'],
    ['another method', 'method: POST', 'method: DELETE', 'method: must be GET, POST or PUT'],
    ['a POST without a body', 'body: json\n', '', 'method: a POST needs body: json or body: form'],
    ['a GET with a body', 'method: POST', 'method: GET', 'body: a GET has no body: remove it, or use POST'],
    [
      'a path of a route',
      'text: latest',
      'path: /api/ussd/sessions\ntext: latest',
      'path: must begin with /api/ussd/duka',
    ],
    [
      'a path of another aggregator',
      'text: latest',
      'path: /api/ussd/hubtel\ntext: latest',
      'path: must begin with /api/ussd/duka',
    ],
    ['a field with two meanings', 'network: NETWORK', 'network: msisdn', 'request: msisdn is used twice'],
    [
      'a field name of JavaScript objects',
      'network: NETWORK',
      'network: constructor',
      'request: constructor is a name that JavaScript reserves',
    ],
    [
      'a session named by an undeclared field',
      'others: { USERID: required }',
      'others: {}',
      'request.session.per: add USERID: required to request.others',
    ],
    ['a session with both an id and a name', 'optional: true, ', '', 'request.session.per: needs optional: true'],
    ['a value for two kinds', 'dial: [true, 1]', 'dial: [true, 0]', 'request.kind: the value 0 is listed twice'],
    ['two minimum numbers', 'dial: [true, 1]', 'dial: [2+, 9+]', 'request.kind: has two least numbers'],
    ['an invalid minimum number', 'dial: [true, 1]', 'dial: [yes+]', 'request.kind: yes+ is no least number'],
    ['no value for a dial', 'dial: [true, 1], ', '', 'request.kind.dial: is missing'],
    [
      'a close without a mark',
      'network: NETWORK',
      'close: { present: [] }',
      'request.close.present: names no field, so no request is recognised as a close',
    ],
    [
      'a code without a mark',
      'kind: { field: MSGTYPE, dial: [true, 1], input: [false, 0] }',
      'serviceCode: CODE',
      'request.serviceCode: needs request.kind',
    ],
    ['a mark with accumulating text', 'text: latest', 'text: accumulated', 'request.kind: is for text: latest alone'],
    ['no code with accumulating text', 'text: latest', 'text: accumulated', 'request: needs serviceCode'],
    [
      'a shared code with single inputs',
      'network: NETWORK',
      'serviceCode: { field: CODE, shared: true }',
      'request.serviceCode.shared: is for text: accumulated alone',
    ],
    [
      'a prefix together with JSON',
      'reply:\n',
      "reply:\n  prefix: { continue: 'CON ', close: 'END ' }\n",
      'reply.prefix: a reply is a text with a prefix or a JSON object: remove prefix or json',
    ],
    ['JSON without the message', '    MSG: message\n', '', 'reply.json: no field has the message'],
    [
      'a reply with one value for continue and close',
      'continue: true, close: false',
      'continue: true, close: true',
      'reply.json.MSGTYPE: no part shows whether the session continues',
    ],
    [
      'a reply without a value for continue and close',
      '    MSGTYPE: { continue: true, close: false }\n',
      '',
      'reply: no part shows whether the session continues',
    ],
    [
      'an echo of an unknown field',
      'echo: USERDATA',
      'echo: DATA',
      'reply.json.USERDATA.echo: add DATA: optional to request.others',
    ],
    [
      'a header set by the server',
      'reply:\n',
      'reply:\n  header: { name: Content-Type, continue: a, close: b }\n',
      'reply.header.name: Content-Type is set by the server',
    ],
    [
      'a verification without a variable',
      /verify:\n.*\n.*\n/.exec(sound)?.[0] ?? '',
      'verify: {}\n',
      'verify: names no variable: give secret: AGGREGATOR_<NAME>_SECRET',
    ],
    [
      'a header without a variable',
      'secret: AGGREGATOR_DUKA_SECRET',
      'header: X-Api-Key',
      'verify.header: needs secret: the variable that has the secret',
    ],
    [
      'a secret in place of a variable',
      'secret: AGGREGATOR_DUKA_SECRET',
      'secret: 3f9c0d7e5b1a48e2',
      'verify.secret: must be a variable AGGREGATOR_<NAME>_SECRET',
    ],
    [
      'a variable of the service',
      'secret: AGGREGATOR_DUKA_SECRET',
      'secret: OPERATOR_TOKEN',
      'verify.secret: must be a variable AGGREGATOR_<NAME>_SECRET',
    ],
    [
      'a variable of another aggregator',
      'secret: AGGREGATOR_DUKA_SECRET',
      'secret: AGGREGATOR_HUBTEL_SECRET',
      'verify.secret: AGGREGATOR_HUBTEL_SECRET belongs to Hubtel: name another variable',
    ],
    [
      'a parameter with the name of a field',
      'secret: AGGREGATOR_DUKA_SECRET',
      'secret: AGGREGATOR_DUKA_SECRET\n  parameter: msisdn',
      'verify.parameter: msisdn is read as something else',
    ],
    [
      'a header set by a proxy',
      'secret: AGGREGATOR_DUKA_SECRET',
      'secret: AGGREGATOR_DUKA_SECRET\n  header: X-Forwarded-For',
      'verify.header: X-Forwarded-For is set by the server or a proxy',
    ],
    ['an example with an unknown field', 'example: {', 'example: { ID: 1,', 'example.ID: is no field of request'],
    [
      'an example with an invalid value',
      "MSISDN: '233200585544'",
      "MSISDN: '0200585544'",
      'example: cannot be read: invalid: MSISDN',
    ],
    [
      'an example without a dial',
      'MSGTYPE: true, SESSIONID',
      'MSGTYPE: false, SESSIONID',
      'example: is no request that begins a session',
    ],
  ])('with %s is refused with file, line, field and remedy', (_name, part, change, problem) => {
    expect(sound).toContain(part);
    const changed = sound.replace(part, () => change);
    const found = problemsOf(changed);
    const wanted = found.find((one) => one.includes(problem)) ?? found.join('\n');
    expect(wanted).toContain(problem);
    expect(wanted).toMatch(/^duka\.aggregator\.yaml:\d+ /);
  });

  it('is refused at the line of the problem', () => {
    const changed = sound.replace('echo: USERDATA', 'echo: DATA');
    expect(problemsOf(changed)).toEqual([
      expect.stringMatching(new RegExp(`^duka.aggregator.yaml:${lineOf(changed, 'echo: DATA')} `)),
    ]);
  });

  it.each([
    ['nalo', '/api/ussd/nalo is the path of Nalo: name the file otherwise'],
    ['sessions', '/api/ussd/sessions is a route of this service: name the file otherwise'],
    ['Duka', '"Duka" is no id: name the file <id>.aggregator.yaml'],
  ])('called %s is refused', (id, problem) => {
    expect(problemsOf(sound, `${id}.aggregator.yaml`)).toContainEqual(
      expect.stringMatching(new RegExp(`^${id}\\.aggregator\\.yaml:\\d+ .*${problem.replaceAll(/[/<>.]/g, '\\$&')}`)),
    );
  });

  it('with another file ending or encoding is refused', () => {
    expect(problemsOf(sound, 'duka.aggregator.yml')).toEqual([
      'duka.aggregator.yml:1 is not read: rename it to duka.aggregator.yaml',
    ]);
    const folder = freshFolder();
    writeFileSync(join(folder, 'duka.aggregator.yaml'), Buffer.from('name: Caf\u00e9', 'latin1'));
    expect(readDescriptions(folder, []).problems).toEqual([
      `${join(folder, 'duka.aggregator.yaml')}:1 is not UTF-8: save the file as UTF-8 in your editor`,
    ]);
  });
});

it('the published schema of descriptions is the one used to read them', async () => {
  // `pnpm vitest run descriptions --update` writes it again.
  await expect(publishedSchema(aggregatorFile)).toMatchFileSnapshot('../../../flows/aggregator.schema.json');
});

it('the reference has every field of the schema', () => {
  const reference = readFileSync(join(shippedDescriptions, 'README.md'), 'utf8');
  const cells = [...reference.matchAll(/^\| `([a-zA-Z]+)` \| (.*) \|$/gm)].map(([, name, rest]) => ({ name, rest }));
  const { shape } = aggregatorFile;
  const wanted = [shape, shape.request.shape, shape.reply.shape, shape.verify.shape].flatMap(Object.keys);
  expect(wanted.filter((name) => !cells.some((cell) => cell.name === name))).toEqual([]);
  const parts = [
    'optional',
    'per',
    'form',
    'shared',
    'names',
    'dial',
    'input',
    'close',
    'present',
    'echo',
    'continue',
    'as',
  ];
  const schema = publishedSchema(aggregatorFile);
  expect(parts.filter((part) => !schema.includes(`"${part}"`) || !reference.includes(part))).toEqual([]);
});

describe('a YAML language server', () => {
  it.each(described)('has no problem with %s', async (id) => {
    expect(await editorProblems(pathOf(id))).toEqual([]);
  });

  it('finds the schema in a folder of flows, and the problem', async () => {
    const folder = freshFolder();
    const schema = join(shippedDescriptions, '../flows/aggregator.schema.json');
    copyFileSync(schema, join(folder, basename(schema)));
    const path = join(folder, 'duka.aggregator.yaml');
    const text = sound.replace('../flows/', '');
    expect(await editorProblems(path, text)).toEqual([]);
    expect(await editorProblems(path, text.replace('method: POST', 'method: FETCH'))).toHaveLength(1);
    expect(await editorProblems(path, text.replace('phone: MSISDN', 'number: MSISDN'))).not.toEqual([]);
  });
});
