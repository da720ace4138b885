import { describe, expect, it } from 'vitest';
import { missingFromBill } from './sbom.mjs';

describe('missingFromBill', () => {
  const byLicence = {
    MIT: [{ name: '@scope/one', versions: ['1.0.0', '2.0.0'] }],
    ISC: [{ name: 'two', versions: ['1.0.0'] }],
  };
  const components = [
    { group: '@scope', name: 'one', version: '1.0.0' },
    { group: '@scope', name: 'one', version: '2.0.0' },
    { name: 'two', version: '1.0.0' },
  ];

  it('finds nothing when all is named', () => expect(missingFromBill({ components }, byLicence)).toEqual([]));

  it('names each version that is left out', () => {
    const lines = missingFromBill({ components: components.slice(1) }, byLicence);
    expect(lines).toEqual(['@scope/one@1.0.0 is not in the bill of materials']);
  });

  it('does not believe that nothing is installed', () => expect(missingFromBill({}, {})).toHaveLength(1));
});
