import { createHook } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** What a piece of work costs, as a number that is the same on each machine. */
export interface Work {
  /** Signatures that OpenSSL checked. */
  readonly verifications: number;
  /** Promises made: a search for proofs takes some for each of its steps. */
  readonly promises: number;
}

/** Runs something, while nothing else runs, and counts what it costs. */
export async function measureWork<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly cost: Work }> {
  const { verify } = crypto;
  let [verifications, promises] = [0, 0];
  const hook = createHook({
    init(_, type) {
      if (type === 'PROMISE') promises += 1;
    },
  });
  crypto.verify = new Proxy(verify, {
    apply(target, self, args) {
      verifications += 1;
      return Reflect.apply(target, self, args);
    },
  });
  syncBuiltinESMExports();
  hook.enable();
  try {
    const result = await work();
    return { result, cost: { verifications, promises } };
  } finally {
    hook.disable();
    crypto.verify = verify;
    syncBuiltinESMExports();
  }
}
