import { alice, NOW, ORACLE, tokenOf, ucanBlock } from './forge.js';
import { grantedBy, refusedAs, type Vector } from './vector.js';

/** A delegation without an invocation, with the option `covering`. */
export async function login(): Promise<Vector[]> {
  const cases: readonly (readonly [string, readonly string[], boolean])[] = [
    ['the resource of the service', ['ixo:oracle'], true],
    ['a family that holds it', ['ixo:*'], true],
    ['the DID of the service', [ORACLE], true],
    ['another resource and that of the service', ['ixo:box', 'ixo:oracle'], true],
    ['another resource', ['ixo:box'], false],
    ['a resource that begins in the same way', ['ixo:oracle2'], false],
    ['what lies under the resource of the service', ['ixo:oracle/*'], false],
    ['what lies under the DID of the service', [`${ORACLE}/box`], false],
    ['what is the issuer’s own', [`${alice.did}/*`], false],
  ];
  return Promise.all(
    cases.map(async ([name, resources, covers]): Promise<Vector> => {
      const att = resources.map((resource) => ({ can: 'store/add', with: resource }));
      const token = tokenOf(await ucanBlock({ att, exp: NOW + 86_400 }));
      const expected = covers ? grantedBy(alice.did) : refusedAs('wrong_resource');
      return { name: `a login by ${name}`, token, ask: 'login', expected };
    }),
  );
}
