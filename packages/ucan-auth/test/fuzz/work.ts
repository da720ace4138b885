import { createHook } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** Machine-independent cost of a call. */
export interface Work {
  /** Signatures that OpenSSL checked. */
  readonly verifications: number;
  /** Created promises: a proof search creates some per step. */
  readonly promises: number;
}

/** Counts the cost of a call; nothing else may run concurrently. */
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
