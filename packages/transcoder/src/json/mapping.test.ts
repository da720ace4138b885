import { everythingRegistry, messageOf } from '@mlango/test-services/descriptors';
import { describe, expect, it } from 'vitest';
import { bindBody } from '../bind/body.js';
import { RequestDraft } from '../bind/request-draft.js';
import { PROTOBUF_PROFILE } from './profile.js';
import { createJsonWriters } from './writer.js';

const registry = everythingRegistry();
const everything = messageOf(registry, 'everything.v1.Everything');
const write = createJsonWriters(registry, PROTOBUF_PROFILE)(everything);

/** The message of a body, in bytes, written as JSON; `undefined` for a body that is refused. */
function mapped(body: string, unknownQuery: 'ignore' | 'reject' = 'reject'): unknown {
  const draft = new RequestDraft(everything, () => undefined);
  const violations = bindBody(draft, '*', new TextEncoder().encode(body), { registry, unknownQuery });
  return violations.length > 0 ? undefined : JSON.parse(write(draft.toBytes()));
}

/** JSON that is taken, and how it is written again; a text alone is written as it was. */
type Taken = string | readonly [body: string, written: string];

/**
 * The cases of protobuf's conformance suite for JSON (`JsonInput.*.JsonOutput`), by the row of the table of ProtoJSON that
 * each is about. Source: protobuf.dev, ProtoJSON Format; protocolbuffers/protobuf, conformance.
 */
const TAKEN: Readonly<Record<string, readonly Taken[]>> = {
  'names of fields': [
    '{"int32Value":1}',
    ['{"int32_value":1}', '{"int32Value":1}'],
    '{"otherName":"a"}',
    ['{"renamed":"a"}', '{"otherName":"a"}'],
    ['{"otherName":null,"int32Value":null,"leaf":null,"names":null,"byName":null,"colour":null}', '{}'],
    ['\n{ "int32Value" :\t1 }\r\n', '{"int32Value":1}'],
  ],
  'int32, uint32, fixed32': [
    '{"int32Value":2147483647}',
    '{"int32Value":-2147483648}',
    '{"uint32Value":4294967295}',
    '{"fixed32Value":4294967295}',
    '{"sint32Value":-2147483648}',
    '{"sfixed32Value":-2147483648}',
    ['{"int32Value":"2147483647"}', '{"int32Value":2147483647}'],
    ['{"int32Value":1e5}', '{"int32Value":100000}'],
    ['{"int32Value":1.0E5}', '{"int32Value":100000}'],
    ['{"int32Value":100000.000}', '{"int32Value":100000}'],
    ['{"int32Value":-0}', '{}'],
    ['{"int32Value":2.147483647e9}', '{"int32Value":2147483647}'],
    ['{"int32Value":"-0"}', '{}'],
    ['{"uint32Value":4.294967295e9}', '{"uint32Value":4294967295}'],
  ],
  'int64, uint64, fixed64': [
    '{"int64Value":"9223372036854775807"}',
    '{"int64Value":"-9223372036854775808"}',
    '{"uint64Value":"18446744073709551615"}',
    '{"fixed64Value":"18446744073709551615"}',
    '{"sfixed64Value":"-9223372036854775808"}',
    ['{"int64Value":9223372036854775807}', '{"int64Value":"9223372036854775807"}'],
    ['{"int64Value":-9223372036854775808}', '{"int64Value":"-9223372036854775808"}'],
    ['{"uint64Value":18446744073709551615}', '{"uint64Value":"18446744073709551615"}'],
    ['{"int64Value":9007199254740993}', '{"int64Value":"9007199254740993"}'],
    ['{"int64Value":1}', '{"int64Value":"1"}'],
  ],
  'float, double': [
    '{"doubleValue":1.7976931348623157e308}',
    '{"doubleValue":5e-324}',
    '{"doubleValue":"NaN"}',
    '{"doubleValue":"Infinity"}',
    '{"doubleValue":"-Infinity"}',
    '{"floatValue":"NaN"}',
    '{"floatValue":"-Infinity"}',
    '{"floatValue":1.5}',
    ['{"doubleValue":"1.5"}', '{"doubleValue":1.5}'],
    ['{"doubleValue":"-1.5e3"}', '{"doubleValue":-1500}'],
    ['{"doubleValue":3}', '{"doubleValue":3}'],
    ['{"numbers":["NaN",1,"-Infinity","2.5"]}', '{"numbers":["NaN",1,"-Infinity",2.5]}'],
  ],
  bool: ['{"boolValue":true}', ['{"boolValue":false}', '{}']],
  string: [
    '{"stringValue":"Hello world!"}',
    ['{"stringValue":"\\"\\\\\\/\\b\\f\\n\\r\\t"}', '{"stringValue":"\\"\\\\/\\b\\f\\n\\r\\t"}'],
    ['{"stringValue":"\\u8C37\\u6B4C"}', '{"stringValue":"谷歌"}'],
    ['{"stringValue":"\\uD83D\\uDE01"}', '{"stringValue":"😁"}'],
    '{"stringValue":"谷歌😁\\u0000"}',
    '{"names":["","a"]}',
  ],
  bytes: [
    '{"bytesValue":"AQI="}',
    ['{"bytesValue":"AQI"}', '{"bytesValue":"AQI="}'],
    ['{"bytesValue":"-_8"}', '{"bytesValue":"+/8="}'],
    '{"bytesValue":"+/8="}',
  ],
  enum: [
    '{"colour":"COLOUR_BLUE"}',
    ['{"colour":5}', '{"colour":"COLOUR_BLUE"}'],
    ['{"colour":0}', '{}'],
    '{"colour":123}',
    '{"colour":-1}',
    ['{"colours":["COLOUR_RED",5]}', '{"colours":["COLOUR_RED","COLOUR_BLUE"]}'],
  ],
  message: ['{"leaf":{}}', '{"leaf":{"label":"a"}}', '{"tree":{"children":[{},{"id":"a"}]}}'],
  map: [
    '{"byName":{"a":1,"":2}}',
    '{"byNumber":{"-7":"a"}}',
    '{"byTruth":{"true":{},"false":{"label":"a"}}}',
    ['{"byName":{"a":0}}', '{"byName":{"a":0}}'],
  ],
  repeated: [['{"names":[]}', '{}'], '{"manyLeaves":[{},{"label":"a"}]}'],
  oneof: [
    '{"chosenText":""}',
    '{"chosenNumber":"0"}',
    ['{"chosenText":null,"chosenNumber":"1"}', '{"chosenNumber":"1"}'],
  ],
  optional: ['{"perhaps":0}', ['{"perhaps":null}', '{}']],
  Any: [
    '{"payload":{"@type":"type.googleapis.com/everything.v1.Leaf","label":"a"}}',
    [
      '{"payload":{"label":"a","@type":"type.googleapis.com/everything.v1.Leaf"}}',
      '{"payload":{"@type":"type.googleapis.com/everything.v1.Leaf","label":"a"}}',
    ],
    '{"payload":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1.500s"}}',
    '{"payload":{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":"7"}}',
    '{"payload":{"@type":"type.googleapis.com/google.protobuf.Struct","value":{"a":1}}}',
    '{"payload":{"@type":"type.googleapis.com/google.protobuf.Any","value":{"@type":"type.googleapis.com/everything.v1.Leaf"}}}',
    '{"payload":{}}',
  ],
  Timestamp: [
    '{"at":"0001-01-01T00:00:00Z"}',
    '{"at":"9999-12-31T23:59:59.999999999Z"}',
    ['{"at":"1970-01-01T08:00:01+08:00"}', '{"at":"1970-01-01T00:00:01Z"}'],
    ['{"at":"1969-12-31T16:00:00-08:00"}', '{"at":"1970-01-01T00:00:00Z"}'],
    '{"at":"1970-01-01T00:00:00.010Z"}',
    '{"at":"1970-01-01T00:00:00.000010Z"}',
    '{"at":"1970-01-01T00:00:00.000000010Z"}',
    '{"at":"2024-02-29T00:00:00Z"}',
  ],
  Duration: [
    '{"lasting":"-315576000000s"}',
    '{"lasting":"315576000000s"}',
    ['{"lasting":"315576000000.999999999s"}', '{"lasting":"315576000000.999999999s"}'],
    '{"lasting":"0s"}',
    ['{"lasting":"1.5s"}', '{"lasting":"1.500s"}'],
    '{"lasting":"-0.500s"}',
    '{"lasting":"1.000000001s"}',
  ],
  FieldMask: ['{"mask":"foo,barBaz"}', '{"mask":"foo.barBaz,a"}', '{"mask":""}'],
  Struct: [
    '{"record":{"null":null,"number":1.5,"string":"a","bool":true,"list":[1,[],{}],"object":{"a":{"b":0}}}}',
    '{"record":{}}',
  ],
  wrappers: [
    '{"maybeLong":"0"}',
    '{"maybeFlag":false}',
    ['{"maybeLong":1}', '{"maybeLong":"1"}'],
    ['{"maybeLong":null}', '{}'],
    '{"longs":["1","18446744073709551615"]}',
  ],
};

/** JSON that is refused, by row. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'no JSON': [
    '{',
    '{"int32Value":1,}',
    "{'int32Value':1}",
    '{int32Value:1}',
    '{"int32Value":01}',
    '{"int32Value":+1}',
    '{"int32Value":.5}',
    '{"stringValue":"\t"}',
    '{"stringValue":"\\x"}',
    '{"int32Value":1} {}',
    '[]',
    '"a"',
    'null',
    '1',
  ],
  'names of fields': ['{"nobody":1}', '{"int32value":1}', '{"leaf":{"nobody":1}}'],
  int32: [
    '{"int32Value":2147483648}',
    '{"int32Value":-2147483649}',
    '{"int32Value":0.5}',
    '{"int32Value":"0.5"}',
    '{"int32Value":" 1"}',
    '{"int32Value":"1 "}',
    '{"int32Value":""}',
    '{"int32Value":"a"}',
    '{"int32Value":true}',
    '{"int32Value":[1]}',
    '{"int32Value":{}}',
    '{"uint32Value":-1}',
    '{"uint32Value":4294967296}',
  ],
  int64: [
    '{"int64Value":"9223372036854775808"}',
    '{"int64Value":"-9223372036854775809"}',
    '{"uint64Value":"18446744073709551616"}',
    '{"uint64Value":"-1"}',
    '{"int64Value":0.5}',
    '{"int64Value":""}',
    '{"int64Value":false}',
  ],
  'float, double': [
    '{"doubleValue":1.89769e308}',
    '{"doubleValue":-1.89769e308}',
    '{"floatValue":3.502823e38}',
    '{"floatValue":-3.502823e38}',
    '{"doubleValue":""}',
    '{"doubleValue":" 1"}',
    '{"doubleValue":"nan"}',
    '{"doubleValue":"inf"}',
    '{"doubleValue":true}',
  ],
  bool: ['{"boolValue":"true"}', '{"boolValue":1}', '{"boolValue":"1"}'],
  string: ['{"stringValue":1}', '{"stringValue":true}', '{"stringValue":[]}', '{"names":"a"}'],
  bytes: ['{"bytesValue":"*"}', '{"bytesValue":"A"}', '{"bytesValue":1}'],
  enum: ['{"colour":"COLOUR_GREEN"}', '{"colour":1.5}', '{"colour":"5"}', '{"colour":true}', '{"colours":[null]}'],
  message: ['{"leaf":1}', '{"leaf":[]}', '{"leaf":"a"}'],
  map: [
    '{"byName":{"a":null}}',
    '{"byNumber":{"a":"b"}}',
    '{"byNumber":{"":"b"}}',
    '{"byTruth":{"1":{}}}',
    '{"byName":[]}',
  ],
  repeated: ['{"names":[null]}', '{"manyLeaves":[null]}', '{"names":{}}', '{"names":["a",1]}'],
  oneof: ['{"chosenText":"a","chosenNumber":"1"}'],
  Any: [
    '{"payload":{"label":"a"}}',
    '{"payload":{"@type":"type.googleapis.com/never.Seen","a":1}}',
    '{"payload":{"@type":1}}',
    '{"payload":{"@type":""}}',
    '{"payload":{"@type":"type.googleapis.com/everything.v1.Leaf","nobody":1}}',
  ],
  Timestamp: [
    '{"at":"0000-01-01T00:00:00Z"}',
    '{"at":"10000-01-01T00:00:00Z"}',
    '{"at":"1970-01-01T00:00:00"}',
    '{"at":"1970-01-01t00:00:00Z"}',
    '{"at":"1970-01-01T00:00:00z"}',
    '{"at":"1970-13-01T00:00:00Z"}',
    '{"at":"1970-01-01 00:00:00Z"}',
    '{"at":"1970-01-01T00:00:00.0000000001Z"}',
    '{"at":0}',
  ],
  Duration: [
    '{"lasting":"315576000001s"}',
    '{"lasting":"-315576000001s"}',
    '{"lasting":"1"}',
    '{"lasting":"1.5"}',
    '{"lasting":"s"}',
    '{"lasting":1}',
    '{"lasting":"1.0000000001s"}',
  ],
  FieldMask: ['{"mask":"foo_bar"}', '{"mask":1}'],
  Struct: ['{"record":[]}', '{"record":1}'],
  wrappers: ['{"maybeFlag":"true"}', '{"maybeLong":"a"}', '{"longs":[null]}'],
};

const rows = <T>(table: Readonly<Record<string, readonly T[]>>): [string, T][] =>
  Object.entries(table).flatMap(([row, cases]) => cases.map((one): [string, T] => [row, one]));

describe('the JSON of protobuf', () => {
  it.each(rows(TAKEN))('%s: accepts %s', (_row, taken) => {
    const [body, expected] = typeof taken === 'string' ? [taken, taken] : taken;
    expect(mapped(body)).toEqual(JSON.parse(expected));
  });

  it.each(rows(REFUSED))('%s: refuses %s', (_row, body) => {
    expect(mapped(body)).toBeUndefined();
  });

  it('ignores unknown fields if configured', () => {
    expect(mapped('{"nobody":{"a":[1]},"int32Value":1}', 'ignore')).toEqual({ int32Value: 1 });
    expect(mapped('{"colour":"COLOUR_GREEN","colours":["COLOUR_GREEN","COLOUR_RED"]}', 'ignore')).toEqual({
      colours: ['COLOUR_RED'],
    });
  });
});
