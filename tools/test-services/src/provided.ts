import type { ServiceName } from './broker.js';

/** The source of a service for a test file: a given server, the broker, or none. */
export type ServiceSource = { readonly url: string } | { readonly broker: string } | undefined;

export type TestServices = Readonly<Record<ServiceName, ServiceSource>>;

declare module 'vitest' {
  interface ProvidedContext {
    testServices: TestServices;
  }
}
