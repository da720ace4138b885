import type { DescFile, FileRegistry } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import type { ServerReflectionRequest, ServerReflectionResponse } from '@mlango/proto/grpc/reflection/v1/reflection';
import { descriptorBytes, withImports } from './descriptors.js';

type MessageResponse = ServerReflectionResponse['message_response'];

/** Answers the requests of one reflection stream. A file that was sent on it is not sent again, unless requested by name. */
export function createAnswerer(
  registry: FileRegistry,
  services: readonly string[],
): (request: ServerReflectionRequest) => ServerReflectionResponse {
  const sent = new Set<DescFile>();
  const files = (file: DescFile | undefined, what: string): MessageResponse => {
    if (!file) return failure(status.NOT_FOUND, `${what} not found`);
    const missing = withImports(file).filter((each) => each === file || !sent.has(each));
    for (const each of missing) sent.add(each);
    return {
      $case: 'file_descriptor_response',
      value: { file_descriptor_proto: missing.map((each) => descriptorBytes(each)) },
    };
  };
  return (request) => ({
    valid_host: request.host,
    original_request: request,
    message_response: answer(registry, services, request.message_request, files),
  });
}

function answer(
  registry: FileRegistry,
  services: readonly string[],
  question: ServerReflectionRequest['message_request'],
  files: (file: DescFile | undefined, what: string) => MessageResponse,
): MessageResponse {
  switch (question?.$case) {
    case 'list_services':
      return { $case: 'list_services_response', value: { service: services.map((name) => ({ name })) } };
    case 'file_by_filename':
      return files(registry.getFile(question.value), question.value);
    case 'file_containing_symbol':
      return files(fileOfSymbol(registry, question.value), question.value);
    case 'file_containing_extension': {
      const { containing_type: type, extension_number: number } = question.value;
      const extension = extensionsOf(registry, type).find((each) => each.number === number);
      return files(extension?.file, `extension ${number} of ${type}`);
    }
    case 'all_extension_numbers_of_type': {
      const type = question.value;
      if (!registry.getMessage(type)) return failure(status.NOT_FOUND, `${type} not found`);
      const numbers = extensionsOf(registry, type).map((each) => each.number);
      return {
        $case: 'all_extension_numbers_response',
        value: { base_type_name: type, extension_number: numbers.sort((a, b) => a - b) },
      };
    }
    case undefined:
      return failure(status.INVALID_ARGUMENT, 'the request asks for nothing');
  }
}

/** The file of a type, service or extension, or of a field, method or enum value within one. */
function fileOfSymbol(registry: FileRegistry, symbol: string): DescFile | undefined {
  const declared = registry.get(symbol);
  if (declared) return declared.file;
  const parentName = symbol.slice(0, symbol.lastIndexOf('.'));
  const name = symbol.slice(parentName.length + 1);
  const parent = registry.get(parentName);
  switch (parent?.kind) {
    case 'message':
      return [...parent.fields, ...parent.oneofs].some((each) => each.name === name) ? parent.file : undefined;
    case 'service':
      return parent.methods.some((method) => method.name === name) ? parent.file : undefined;
    case 'enum':
      return parent.values.some((value) => value.name === name) ? parent.file : undefined;
    default:
      return undefined;
  }
}

function extensionsOf(registry: FileRegistry, type: string) {
  return [...registry].filter((each) => each.kind === 'extension').filter((each) => each.extendee.typeName === type);
}

function failure(code: status, message: string): MessageResponse {
  return { $case: 'error_response', value: { error_code: code, error_message: message } };
}
