// Writes the published definitions as `.proto` files to dist/published, for buf to compile beside those of this folder.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printProto } from './published/print-proto.mjs';
import { readPackage } from './published/read-package.mjs';
import { FILES, PACKAGE } from './published/sources.mjs';

const own = fileURLToPath(new URL('..', import.meta.url));
const out = join(own, 'dist/published');

const { files, fileOf } = await readPackage(PACKAGE);
rmSync(out, { recursive: true, force: true });
// A set visits what is added while it is walked.
const paths = new Set(FILES.map((path) => `${path}.proto`));
for (const path of paths) {
  // What this folder defines itself has the last word, and buf brings the well-known types.
  if (path.startsWith('google/protobuf/') || existsSync(join(own, path))) continue;
  const file = files.get(path);
  if (file === undefined) throw new Error(`${PACKAGE} has no ${path}`);
  const { text, imports } = printProto(file, fileOf);
  for (const imported of imports) paths.add(imported);
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), text);
}
