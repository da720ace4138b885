import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  create,
  createFileRegistry,
  type DescMessage,
  type DescMethod,
  type FileRegistry,
  fromBinary,
} from '@bufbuild/protobuf';
import {
  FileDescriptorProtoSchema,
  type FileDescriptorSet,
  FileDescriptorSetSchema,
  MethodDescriptorProtoSchema,
  ServiceDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';

/** Methods with the message of the cases as request and reply. */
export interface CaseDescriptors {
  readonly registry: FileRegistry;
  readonly message: DescMessage;
  /** The unary method for the rule with an index. */
  method(index: number): DescMethod;
  readonly stream: DescMethod;
}

const SERVICE = 'gateway_conformance.Rules';

/** Builds the descriptors from the `.proto` files in a folder, and a service of `methods` methods over `typeName`. */
export function buildCaseDescriptors(folder: string, typeName: string, methods: number): CaseDescriptors {
  const set = fromBinary(FileDescriptorSetSchema, runBuf(folder));
  set.file.push(makeService(set, typeName, methods));
  const registry = createFileRegistry(set);
  const message = registry.getMessage(typeName);
  const rpcs = registry.getService(SERVICE)?.methods ?? [];
  const stream = rpcs.at(-1);
  if (message === undefined || stream === undefined) throw new Error(`the schema has no message ${typeName}`);
  return {
    registry,
    message,
    stream,
    method(index) {
      const rpc = rpcs[index];
      if (rpc === undefined) throw new Error(`no method for rule ${index}`);
      return rpc;
    },
  };
}

function runBuf(folder: string): Uint8Array {
  const require = createRequire(import.meta.url);
  const buf = join(dirname(require.resolve('@bufbuild/buf/package.json')), 'bin', 'buf');
  const args = [buf, 'build', folder, '--as-file-descriptor-set', '-o', '-#format=binpb'];
  return execFileSync(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
}

function makeService(set: FileDescriptorSet, typeName: string, methods: number) {
  const type = `.${typeName}`;
  const rpc = (name: string, serverStreaming: boolean) =>
    create(MethodDescriptorProtoSchema, { name, inputType: type, outputType: type, serverStreaming });
  const unary = Array.from({ length: methods }, (_, index) => rpc(`Rule${index}`, false));
  return create(FileDescriptorProtoSchema, {
    name: 'gateway_conformance.proto',
    package: 'gateway_conformance',
    syntax: 'proto3',
    dependency: set.file.map((file) => file.name),
    service: [create(ServiceDescriptorProtoSchema, { name: 'Rules', method: [...unary, rpc('Stream', true)] })],
  });
}
