import { toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import {
  type handleBidiStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  status,
} from '@grpc/grpc-js';
import { ServerReflectionRequest, ServerReflectionResponse } from '@mlango/proto/grpc/reflection/v1/reflection';
import { byteMethod } from '@mlango/test-services/byte-method';
import { everythingRegistry } from '@mlango/test-services/descriptors';

/** A real gRPC server of `everything.v1.Service` with reflection v1alpha only, one file for each request. */
export interface ReflectingNode {
  readonly address: string;
  /** The number of reflection requests. */
  readonly questions: () => number;
  close(): Promise<void>;
}

const SERVICE = 'everything.v1.Service';
export async function startReflectingNode(): Promise<ReflectingNode> {
  let questions = 0;
  const server = new Server();
  const echo: handleUnaryCall<Buffer, Buffer> = (call, done) => done(null, call.request);
  const watch: handleServerStreamingCall<Buffer, Buffer> = (call) => {
    for (const label of ['a', 'b']) call.write(Buffer.from([0x0a, 1, label.charCodeAt(0)]));
    call.end();
  };
  server.addService(
    {
      Get: byteMethod(`/${SERVICE}/Get`),
      Replace: byteMethod(`/${SERVICE}/Replace`),
      Watch: byteMethod(`/${SERVICE}/Watch`, { responseStream: true }),
    },
    { Get: echo, Replace: echo, Watch: watch },
  );
  const reflect: handleBidiStreamingCall<Buffer, Buffer> = (call) => {
    call.on('data', (bytes: Buffer) => {
      questions += 1;
      const question = ServerReflectionRequest.decode(bytes);
      const message_response = answer(question.message_request);
      const reply = { valid_host: '', original_request: question, message_response };
      call.write(Buffer.from(ServerReflectionResponse.encode(reply).finish()));
    });
    call.on('end', () => call.end());
  };
  const path = '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo';
  server.addService({ Info: byteMethod(path, { requestStream: true, responseStream: true }) }, { Info: reflect });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    address: `127.0.0.1:${port}`,
    questions: () => questions,
    async close() {
      server.forceShutdown();
    },
  };
}

function answer(question: ServerReflectionRequest['message_request']): ServerReflectionResponse['message_response'] {
  if (question?.$case === 'list_services') {
    return { $case: 'list_services_response', value: { service: [{ name: SERVICE }] } };
  }
  const registry = everythingRegistry();
  const name = question?.$case === 'file_by_filename' ? question.value : 'everything.proto';
  const file = [...registry.files].find((each) => each.proto.name === name);
  if (file === undefined) {
    return { $case: 'error_response', value: { error_code: status.NOT_FOUND, error_message: `${name} not found` } };
  }
  const file_descriptor_proto = [Buffer.from(toBinary(FileDescriptorProtoSchema, file.proto))];
  return { $case: 'file_descriptor_response', value: { file_descriptor_proto } };
}
