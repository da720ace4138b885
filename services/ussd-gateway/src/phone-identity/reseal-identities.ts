import type { PhoneIdentities } from './phone-identities.js';
import type { PhoneIdentityStore } from './sql-phone-identity-store.js';

export interface IdentitiesResealed {
  readonly identities: number;
  readonly resealed: number;
  readonly delegations: number;
  readonly delegationsResealed: number;
  /** DIDs of phones with a value that does not open with any key. */
  readonly unopened: readonly string[];
}

const partSize = 100;

type Store = Pick<
  PhoneIdentityStore,
  'listSealed' | 'replaceSealed' | 'listSealedDelegations' | 'replaceSealedDelegation'
>;

/** Seals every identity and delegation under the current key. It can run repeatedly, also while the service runs. */
export async function resealIdentities(
  store: Store,
  seals: Pick<PhoneIdentities, 'reseal' | 'resealDelegation'>,
): Promise<IdentitiesResealed> {
  const identities = await resealAll({
    list: (after: string | undefined) => store.listSealed(after ?? '', partSize),
    keyOf: ({ phone }) => phone,
    reseal: (identity) => seals.reseal(identity),
    replace: (before, after) => store.replaceSealed(before, after),
  });
  // After the identities, which also reseal the record of their link.
  const delegations = await resealAll({
    list: (after: string | undefined) => store.listSealedDelegations(after, partSize),
    keyOf: ({ id }) => id,
    reseal: (delegation) => seals.resealDelegation(delegation),
    replace: (before, after) => store.replaceSealedDelegation(before, after),
  });
  return {
    identities: identities.count,
    resealed: identities.resealed,
    delegations: delegations.count,
    delegationsResealed: delegations.resealed,
    unopened: [...new Set([...identities.unopened, ...delegations.unopened])],
  };
}

interface Sealed<Row extends { readonly did: string }, After> {
  list(after: string | undefined): Promise<readonly Row[]>;
  keyOf(row: Row): string;
  reseal(row: Row): After | undefined;
  replace(before: Row, after: After): Promise<boolean>;
}

async function resealAll<Row extends { readonly did: string }, After>(sealed: Sealed<Row, After>) {
  let [count, resealed] = [0, 0];
  const unopened: string[] = [];
  for (let after: string | undefined; ; ) {
    const part = await sealed.list(after);
    const last = part.at(-1);
    if (last === undefined) return { count, resealed, unopened };
    for (const row of part) {
      count++;
      let fresh: After | undefined;
      try {
        fresh = sealed.reseal(row);
      } catch {
        unopened.push(row.did);
      }
      if (fresh !== undefined && (await sealed.replace(row, fresh))) resealed++;
    }
    after = sealed.keyOf(last);
  }
}
