/**
 * The program that protobuf's conformance runner tests: it reads requests from standard input, each after its length in four
 * bytes, and writes a response to each in the same way. `testee.fixture.ts <image>` reads the descriptors of the suite.
 *
 * Source: protocolbuffers/protobuf, conformance/conformance.proto.
 */
import { readFileSync, readSync, writeSync } from 'node:fs';
import { create, type DescMessage, fromBinary, toBinary } from '@bufbuild/protobuf';
import { readDescriptorImage } from '../../src/rules/descriptor-image.js';
import type { HttpRoute } from '../../src/rules/http-route.js';
import { createTranscoder, type Transcoder } from '../../src/transcoder.js';

const WIRE_FORMAT = { protobuf: 1, json: 2 };
const JSON_IGNORE_UNKNOWN = 3;
const [STDIN, STDOUT] = [0, 1];

type Response =
  | {
      readonly case: 'parseError' | 'serializeError' | 'runtimeError' | 'skipped' | 'jsonPayload';
      readonly value: string;
    }
  | { readonly case: 'protobufPayload'; readonly value: Uint8Array };

interface Request {
  readonly payload: { readonly case?: string; readonly value?: unknown };
  readonly requestedOutputFormat: number;
  readonly messageType: string;
  readonly testCategory: number;
}

const [, , image = ''] = process.argv;
const files = readDescriptorImage(readFileSync(image));
const strict = createTranscoder({ files, routes: [], unknownQuery: 'reject' });
const lenient = createTranscoder({ files, routes: [], unknownQuery: 'ignore' });

function messageOf(name: string): DescMessage {
  const message = files.getMessage(name);
  if (message === undefined) throw new Error(`the suite has no message ${name}`);
  return message;
}

function answer({ payload, requestedOutputFormat, messageType, testCategory }: Request): Response {
  // The first request is for the list of tests that are expected to fail: it is empty.
  if (messageType === 'conformance.FailureSet') return { case: 'protobufPayload', value: new Uint8Array() };
  const isJson = payload.case === 'jsonPayload';
  if (!isJson && payload.case !== 'protobufPayload') return { case: 'skipped', value: 'neither JSON nor protobuf' };
  if (requestedOutputFormat !== WIRE_FORMAT.json && !(isJson && requestedOutputFormat === WIRE_FORMAT.protobuf)) {
    return { case: 'skipped', value: 'no JSON in it' };
  }
  const transcoder: Transcoder<HttpRoute> = testCategory === JSON_IGNORE_UNKNOWN ? lenient : strict;
  const message = messageOf(messageType);
  let bytes = payload.value as Uint8Array;
  if (isJson) {
    const read = transcoder.readMessage(message, 'json', Buffer.from(payload.value as string));
    if ('violations' in read) return { case: 'parseError', value: JSON.stringify(read.violations) };
    bytes = read.bytes;
  }
  if (requestedOutputFormat === WIRE_FORMAT.protobuf) return { case: 'protobufPayload', value: bytes };
  try {
    return { case: 'jsonPayload', value: transcoder.json(message)(bytes) };
  } catch (error) {
    return { case: 'serializeError', value: String(error) };
  }
}

function answerSafely(request: Request): Response {
  try {
    return answer(request);
  } catch (error) {
    return { case: 'runtimeError', value: String(error) };
  }
}

/** This many bytes of standard input; `undefined` if it ends before. */
function read(length: number): Buffer | undefined {
  const bytes = Buffer.alloc(length);
  let at = 0;
  while (at < length) {
    const count = readSync(STDIN, bytes, at, length - at, null);
    if (count === 0) return undefined;
    at += count;
  }
  return bytes;
}

function write(bytes: Uint8Array): void {
  let at = 0;
  while (at < bytes.length) at += writeSync(STDOUT, bytes, at);
}

const requestType = messageOf('conformance.ConformanceRequest');
const responseType = messageOf('conformance.ConformanceResponse');
for (let head = read(4); head !== undefined; head = read(4)) {
  const bytes = read(head.readUInt32LE());
  if (bytes === undefined) break;
  const result = answerSafely(fromBinary(requestType, bytes) as unknown as Request);
  const response = toBinary(responseType, create(responseType, { result } as never));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(response.length);
  write(Buffer.concat([length, response]));
}
