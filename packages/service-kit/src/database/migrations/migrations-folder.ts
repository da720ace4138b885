import { fileURLToPath } from 'node:url';

/**
 * The SQL migrations of drizzle-kit: `drizzle/` of the package.
 *
 * @param moduleUrl `import.meta.url` of a module in a folder of `src/` or `dist/`
 */
export function migrationsFolderOf(moduleUrl: string): string {
  return fileURLToPath(new URL('../../drizzle', moduleUrl));
}
