import { replyHeaders } from '@mlango/cosmos-rest/heights';
import { everythingRegistry, messageOf } from '@mlango/test-services/descriptors';
import { badRequest } from '@mlango/transcoder/bad-request';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import type { HeaderPairs } from '@mlango/transcoder/metadata';
import { describe, expect, it } from 'vitest';
import { growthOf, patternsOf, repeated } from '../../test/support/growth.js';
import { buildRouteTable } from '../catalog/routes.js';
import { chooseEncoding } from '../http/content-encoding.js';
import { answerMismatch } from '../http/errors.js';
import { readCall } from './read-call.js';

const registry = everythingRegistry();
const table = buildRouteTable(registry, { prefixes: { current: 'proto', legacy: [] } });
const everything = messageOf(registry, 'everything.v1.Everything');
const { transcoder } = table;

/** Reads a request up to its call, or up to the description of its error. */
function read(method: string, path: string, parts: { query?: string; headers?: HeaderPairs; body?: string }): void {
  const { query = '', headers = [], body = '' } = parts;
  const match = transcoder.match(method, `${path}?${query}`);
  if (match.kind !== 'found') throw new Error(`no route for ${path}`);
  const request = { ...match, headers, body: Buffer.from(body), callerAddress: '192.0.2.1' };
  const call = readCall(request, { transcoder, defaultTimeoutMs: 1000 });
  if ('violations' in call) badRequest(call.violations);
}

const writeJson = transcoder.json(everything);
const unreadable = (write: () => unknown): void => {
  try {
    write();
  } catch {
    // Invalid bytes are a reported error.
  }
};

interface PublicInput {
  readonly name: string;
  readonly atoms: readonly string[];
  /** Text before and after the pattern. */
  readonly around?: readonly (readonly [before: string, after: string])[];
  readonly run: (text: string) => void;
}

const inputs: readonly PublicInput[] = [
  {
    name: 'a path',
    atoms: ['/', ':', 'check', 'a', '%41', '%2F', '%', '.', 'everything', '**', '-'],
    around: [
      ['/', ''],
      ['/everything/v1/', ':check'],
      ['/everything/v1/files/dir/', ''],
    ],
    run: (path) => {
      const match = transcoder.match('GET', path);
      if (match.kind !== 'found') answerMismatch(match, 'GET', path, table);
    },
  },
  {
    name: 'a query',
    atoms: [
      '&',
      '=',
      'tree.',
      'parent.',
      'a',
      '%41',
      '[',
      ']',
      'names=x',
      'by_name[a]=1',
      '+',
      'nope&',
      'chosen_text=',
      ',',
    ],
    around: [
      ['', ''],
      ['tree.', 'id=1'],
      ['bytes_value=', ''],
      ['mask=', ''],
      ['record=', ''],
      ['int64_value=', 'x'],
      ['double_value=', 'x'],
      ['at=', ''],
    ],
    run: (query) => read('GET', '/everything/v1/x', { query }),
  },
  {
    name: 'a mask',
    atoms: ['a', '.', ',', 'tree.', 'parent.', 'leaf', 'leaf,', 'A', 'a,b', '_'],
    around: [
      ['', ''],
      ['tree', '.id'],
    ],
    run: (mask) => read('GET', '/everything/v1', { query: `fields=${mask}` }),
  },
  {
    name: 'the value of a header',
    atoms: ['a', ' ', '\t', ',', ';', 'q=', '1', '=', '"', '/', '-'],
    run: (value) => {
      chooseEncoding(value);
      for (const name of [
        'Grpc-Timeout',
        'x-cosmos-block-height',
        'x-min-block-height',
        'authorization',
        'grpc-metadata-a',
        'grpc-metadata-a-bin',
      ]) {
        read('GET', '/everything/v1', { headers: [[name, value]] });
      }
    },
  },
  {
    name: 'headers',
    atoms: [
      'a ',
      'authorization ',
      'grpc-metadata-a ',
      'grpc-metadata-authorization ',
      'grpc-metadata-xauthorization ',
    ],
    run: (names) => {
      const headers = names.split(' ').map((name, at): [string, string] => [name.replace('xa', `x${at}a`), 'x']);
      read('GET', '/everything/v1', { headers });
    },
  },
  {
    name: 'a body',
    atoms: ['[', '{"a":', '"', '\\', '1', '-', '.', ' ', '"a",', '1,', 'é', '\\u0041'],
    around: [
      ['', ''],
      ['{"record":{"a":', '}}'],
      ['{"int64_value":', '}'],
      ['{"uint64_value":"', '"}'],
      ['{"names":[', '"a"]}'],
      ['{"bytes_value":"', '"}'],
      ['{"lasting":"', 's"}'],
      ['{"at":"', '"}'],
    ],
    run: (body) => read('POST', '/everything/v1/x', { body }),
  },
  {
    name: 'the text of a failure',
    atoms: [
      'a',
      '.',
      '-',
      ':',
      '.go:1',
      '[',
      ']',
      ' ',
      '\t',
      '/',
      'codespace ',
      ' code 1',
      '1.',
      '%41',
      '%',
      'localhost',
      '\n',
    ],
    around: [
      ['', ''],
      ['codespace claims code 1100: ', ''],
      ['', ':99999999'],
    ],
    run: (text) => void transcoder.failure(GRPC_CODES.unknown, text, []),
  },
  {
    name: 'the metadata of a reply',
    atoms: ['a ', 'b-bin ', 'content-type ', 'grpc-x ', 'é '],
    run: (names) => void replyHeaders(names.split(' ').map((name): [string, string] => [name, 'x'])),
  },
  {
    name: 'the bytes of a reply',
    // Tags and lengths of texts, messages, packed numbers, entries, groups, Any, and bytes that are none of these.
    atoms: [
      '\x72\x00',
      '\x8a\x01\x00',
      '\xaa\x01\x02ab',
      '\xb2\x01\x04\x0a\x00\x10\x01',
      '\x08',
      '\xff',
      '\x13',
      '\x9a\x01\x00',
      '\x82\x02\x00',
      '\xca\x01\x00\xd0\x01\x01',
    ],
    around: [
      ['', ''],
      ['\x72\x01a', '\x08\x00'],
    ],
    run: (bytes) => {
      const message = Buffer.from(bytes, 'latin1');
      unreadable(() => writeJson(message));
      transcoder.failure(GRPC_CODES.unknown, '', message);
    },
  },
];

/** Openings and closings, nested as deep as the length allows. */
function nested(open: string, close: string, length: number): string {
  const times = Math.floor(length / (open.length + close.length));
  return open.repeat(times) + close.repeat(times);
}

describe.each(inputs)('the work for $name', ({ atoms, around = [['', '']], run }) => {
  it('grows no faster than it does', () => {
    for (const [at, [before, after]] of around.entries()) {
      for (const pattern of at === 0 ? patternsOf(atoms) : atoms) {
        const growth = growthOf((length) => before + repeated(pattern, length) + after, run);
        expect([before, pattern, after, growth]).toEqual([before, pattern, after, undefined]);
      }
    }
  });
});

describe('the work for a body of messages in messages', () => {
  it.each([
    ['{"tree":', '{"parent":', '{}', '}', '}'],
    ['{"tree":', '{"children":[', '{}', ']}', '}'],
    ['{"record":', '{"a":', '1', '}', '}'],
    ['{"record":{"a":', '[', '"a"', ']', '}}'],
  ])('grows no faster than it does: %s %s', (before, open, middle, close, after) => {
    const make = (length: number) => {
      const depth = Math.floor(length / 2 / (open.length + close.length));
      return before + open.repeat(depth) + middle.replace('a', 'a'.repeat(length / 2)) + close.repeat(depth) + after;
    };
    expect(growthOf(make, (body) => read('POST', '/everything/v1/x', { body }))).toBeUndefined();
    const query = (length: number) => `record=${nested('{"a":', '}', length).replace('}', '1}')}`;
    expect(growthOf(query, (text) => read('GET', '/everything/v1/x', { query: text }))).toBeUndefined();
  });
});
