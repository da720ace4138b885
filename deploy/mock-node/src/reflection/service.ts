import type { FileRegistry } from '@bufbuild/protobuf';
import { type ServerReflectionServer, ServerReflectionService } from '@mlango/proto/grpc/reflection/v1/reflection';
import { createAnswerer } from './answer.js';

/** The older name of the service, which many nodes still serve; its messages are the same. */
export const ReflectionV1AlphaService = {
  serverReflectionInfo: {
    ...ServerReflectionService.serverReflectionInfo,
    path: '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
  },
};

/** Server reflection over the descriptors of all definitions. */
export function createReflection(registry: FileRegistry, services: readonly string[]): ServerReflectionServer {
  return {
    serverReflectionInfo(call) {
      const answer = createAnswerer(registry, services);
      call.on('data', (request) => call.write(answer(request)));
      call.on('end', () => call.end());
    },
  };
}
