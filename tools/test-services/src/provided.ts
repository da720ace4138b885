import type { ServiceName } from './broker.js';

/** Where a test file gets a service from: a given server, the broker, or nowhere. */
export type ServiceSource = { readonly url: string } | { readonly broker: string } | undefined;

export type TestServices = Readonly<Record<ServiceName, ServiceSource>>;

declare module 'vitest' {
  interface ProvidedContext {
    testServices: TestServices;
  }
}
