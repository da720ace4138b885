import { describe, expect, it } from 'vitest';
import { pageOf, targetOf, withFolders } from './pages.mjs';

const known = withFolders([
  'README.md',
  'docs/README.md',
  'docs/doors.svg',
  'docs/guides/sockets.md',
  'docs/operations/README.md',
  'services/oracle-api/README.md',
  'services/oracle-api/src/main.ts',
]);

describe('pageOf', () => {
  it.each([
    ['docs/README.md', 'index.md'],
    ['docs/guides/sockets.md', 'guides/sockets.md'],
    ['docs/operations/README.md', 'operations/index.md'],
    ['services/oracle-api/README.md', 'services/oracle-api/index.md'],
    ['README.md', 'overview.md'],
    ['SECURITY.md', 'SECURITY.md'],
  ])('%s is %s', (file, page) => expect(pageOf(file)).toBe(page));

  it.each(['docs/doors.svg', '.changeset/one.md', 'tools/checks/README.md', 'services/oracle-api/NOTES.md'])(
    '%s is none',
    (file) => expect(pageOf(file)).toBeUndefined(),
  );
});

describe('targetOf', () => {
  it.each([
    ['../operations/README.md#probes', 'page', '/operations/index.md#probes'],
    ['../operations', 'page', '/operations/index.md'],
    ['../../services/oracle-api/', 'page', '/services/oracle-api/index.md'],
    ['../../services/oracle-api/src/main.ts', 'source', 'services/oracle-api/src/main.ts'],
    ['../../services/oracle-api/src', 'source', 'services/oracle-api/src'],
    ['gone.md', 'nothing', 'docs/guides/gone.md'],
  ])('%s leads to %s', (href, kind, path) => {
    expect(targetOf('docs/guides/sockets.md', href, known)).toEqual({ kind, path });
  });

  it.each(['https://example.org/a', 'mailto:a@example.org', '#here', '/reference/'])('%s is left alone', (href) => {
    expect(targetOf('docs/guides/sockets.md', href, known)).toEqual({ kind: 'as it is' });
  });
});
