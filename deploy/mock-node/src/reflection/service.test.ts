import { createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { credentials, makeGenericClientConstructor } from '@grpc/grpc-js';
import {
  ServerReflectionClient,
  type ServerReflectionRequest,
  type ServerReflectionResponse,
} from '@mlango/proto/grpc/reflection/v1/reflection';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MockNode, startMockNode } from '../server.js';
import { ReflectionV1AlphaService } from './service.js';

type Question = ServerReflectionRequest['message_request'];
const V1AlphaClient = makeGenericClientConstructor(
  ReflectionV1AlphaService,
  '',
) as unknown as typeof ServerReflectionClient;

let node: MockNode;

beforeAll(async () => {
  node = await startMockNode();
});

afterAll(() => node.close());

/** Sends requests on one stream and returns the answers in order. */
function ask(Client: typeof ServerReflectionClient, ...questions: Question[]): Promise<ServerReflectionResponse[]> {
  const client = new Client(node.address, credentials.createInsecure());
  return new Promise((resolve, reject) => {
    const answers: ServerReflectionResponse[] = [];
    const stream = client.serverReflectionInfo();
    stream.on('data', (answer: ServerReflectionResponse) => answers.push(answer));
    stream.on('error', reject);
    stream.on('end', () => {
      client.close();
      resolve(answers);
    });
    for (const question of questions) stream.write({ host: 'h', message_request: question });
    stream.end();
  });
}

function filesOf(answer: ServerReflectionResponse | undefined) {
  const message = answer?.message_response;
  const bytes = message?.$case === 'file_descriptor_response' ? message.value.file_descriptor_proto : [];
  return bytes.map((each) => fromBinary(FileDescriptorProtoSchema, each));
}

describe.each([
  ['v1', ServerReflectionClient],
  ['v1alpha', V1AlphaClient],
])('reflection %s', (_, Client) => {
  it('lists all services of the node', async () => {
    const [answer] = await ask(Client, { $case: 'list_services', value: '' });
    const message = answer?.message_response;
    const names = message?.$case === 'list_services_response' ? message.value.service.map((each) => each.name) : [];
    const published = names.filter((name) => /^(?:cosmos|cosmwasm|ibc)\./.test(name));
    expect(published).toHaveLength(22);
    const own = ['bonds', 'claims', 'entity', 'epochs', 'iid', 'liquidstake', 'mint', 'names', 'smartaccount', 'token'];
    expect(names.filter((name) => !published.includes(name)).sort()).toEqual([
      'grpc.health.v1.Health',
      'grpc.reflection.v1.ServerReflection',
      'grpc.reflection.v1alpha.ServerReflection',
      ...own.map((each) => `ixo.${each}.v1beta1.Query`),
    ]);
  });

  it('a service can be rebuilt from the files it sends', async () => {
    const [answer] = await ask(Client, { $case: 'file_containing_symbol', value: 'ixo.entity.v1beta1.Query' });
    const file = filesOf(answer);
    expect(file[0]?.name).toBe('ixo/entity/v1beta1/query.proto');
    const registry = createFileRegistry({ $typeName: FileDescriptorSetSchema.typeName, file: file.reverse() });
    expect(registry.getService('ixo.entity.v1beta1.Query')?.methods).toHaveLength(6);
    expect(registry.getExtension('google.api.http')?.number).toBe(72295728);
  });

  it('a file is sent once on a stream, unless it is requested by name', async () => {
    const question: Question = { $case: 'file_by_filename', value: 'ixo/iid/v1beta1/query.proto' };
    const [first, second] = await ask(Client, question, question);
    expect(filesOf(first).length).toBeGreaterThan(3);
    expect(filesOf(second).map((file) => file.name)).toEqual(['ixo/iid/v1beta1/query.proto']);
  });

  it('finds members, extensions and extension numbers', async () => {
    const options = 'google.protobuf.FieldOptions';
    const [method, field, value, extension, numbers] = await ask(
      Client,
      { $case: 'file_containing_symbol', value: 'ixo.token.v1beta1.Query.TokenList' },
      { $case: 'file_containing_symbol', value: 'ixo.iid.v1beta1.IidDocument.context' },
      { $case: 'file_containing_symbol', value: 'grpc.health.v1.HealthCheckResponse.ServingStatus.SERVING' },
      { $case: 'file_containing_extension', value: { containing_type: options, extension_number: 93002 } },
      { $case: 'all_extension_numbers_of_type', value: options },
    );
    expect([method, field, value, extension].map((answer) => filesOf(answer)[0]?.name)).toEqual([
      'ixo/token/v1beta1/query.proto',
      'ixo/iid/v1beta1/iid.proto',
      'grpc/health/v1/health.proto',
      'cosmos_proto/cosmos.proto',
    ]);
    expect(numbers?.message_response).toMatchObject({ value: { extension_number: [65001, 65003, 65007, 93002] } });
  });

  it('answers an unknown symbol with an error, and keeps the stream open', async () => {
    const answers = await ask(
      Client,
      { $case: 'file_containing_symbol', value: 'ixo.none' },
      { $case: 'file_by_filename', value: 'none.proto' },
      { $case: 'all_extension_numbers_of_type', value: 'ixo.none' },
      undefined,
      { $case: 'list_services', value: '' },
    );
    const codes = answers.map(({ message_response: message }) =>
      message?.$case === 'error_response' ? message.value.error_code : undefined,
    );
    expect(codes).toEqual([5, 5, 5, 3, undefined]);
    expect(answers[0]).toMatchObject({ valid_host: 'h', original_request: { host: 'h' } });
  });
});
