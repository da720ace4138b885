/** Where a test file gets a service from: a given server, the broker, or nowhere. */
export type ServiceSource = { readonly url: string } | { readonly broker: string } | undefined;

export interface TestServices {
  readonly redis: ServiceSource;
  readonly postgres: ServiceSource;
}

declare module 'vitest' {
  interface ProvidedContext {
    testServices: TestServices;
  }
}
