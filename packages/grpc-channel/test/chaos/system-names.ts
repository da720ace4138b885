import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

/** Names that this process resolves to addresses of the test, for every resolver function of Node.js. */
export interface SystemNames {
  readonly addresses: Map<string, readonly string[]>;
  restore(): void;
}

type LookUpOptions = { readonly all?: boolean | undefined };

export function takeOverNames(): SystemNames {
  const addresses = new Map<string, readonly string[]>();
  const { lookup, promises } = dns;
  const promised = promises.lookup;
  const found = (host: string, { all }: LookUpOptions) => {
    const list = (addresses.get(host) ?? []).map((address) => ({ address, family: 4 }));
    return all === true ? list : list[0];
  };
  const replace = (name: 'lookup', on: object, by: unknown): void => {
    Object.assign(on, { [name]: by });
    syncBuiltinESMExports();
  };
  replace('lookup', dns, (host: string, ...rest: unknown[]) => {
    if (!addresses.has(host)) return Reflect.apply(lookup, dns, [host, ...rest]);
    const options = (typeof rest[0] === 'object' ? rest[0] : {}) as LookUpOptions;
    const callback = rest.at(-1) as (error: null, ...result: unknown[]) => void;
    const result = found(host, options);
    if (Array.isArray(result)) process.nextTick(callback, null, result);
    else process.nextTick(callback, null, result?.address, result?.family);
  });
  replace('lookup', promises, async (host: string, options: LookUpOptions = {}) =>
    addresses.has(host) ? found(host, options) : Reflect.apply(promised, promises, [host, options]),
  );
  return {
    addresses,
    restore() {
      replace('lookup', dns, lookup);
      replace('lookup', promises, promised);
    },
  };
}
