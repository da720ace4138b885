import { expect, it } from 'vitest';
import { debianPackages } from './base-packages.mjs';

const status = `Package: libc6
Status: install ok installed
Priority: optional
Architecture: amd64
Multi-Arch: same
Version: 2.36-9+deb12u10
Description: GNU C Library: Shared libraries
 Package: not a field

Package: gone
Status: deinstall ok config-files
Architecture: amd64
Version: 1

Package: adduser
Status: install ok installed
Architecture: all
Version: 1:3.134
`;

it('the packages of a base are in its bill by their package URLs, those that were removed are not', () => {
  const found = debianPackages(status, 'debian');
  expect(found.map(({ purl }) => purl)).toEqual([
    'pkg:deb/debian/adduser@1%3A3.134?arch=all',
    'pkg:deb/debian/libc6@2.36-9%2Bdeb12u10?arch=amd64',
  ]);
  expect(found[1]).toMatchObject({ type: 'library', name: 'libc6', version: '2.36-9+deb12u10' });
  expect(debianPackages('', 'debian')).toEqual([]);
});
