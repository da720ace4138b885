import { spawn } from 'node:child_process';

// Reads one pid per line and outlives its parent: at end of input (the parent closed the pipe, or died in any way) it ends the
// last pid and removes the folder. An empty line means that nothing runs.
export const KEEPER_SCRIPT = `
pid=
while read -r line; do pid=$line; done
if [ -n "$pid" ]; then
  kill -"$2" "$pid" 2>/dev/null
  tries=0
  while kill -0 "$pid" 2>/dev/null && [ "$tries" -lt 30 ]; do sleep 0.1; tries=$((tries + 1)); done
  kill -KILL "$pid" 2>/dev/null
fi
rm -rf -- "$1"
`;

export interface Keeper {
  /** Names the process to end; undefined when none runs. */
  watch(pid: number | undefined): void;
  /** Triggers the clean-up now. */
  release(): void;
}

/** Starts the process that cleans up after a server and its folder, even when this process is killed with SIGKILL. */
export function startKeeper(folder: string, signal: 'KILL' | 'QUIT'): Keeper {
  const shell = spawn('/bin/sh', ['-c', KEEPER_SCRIPT, 'test-services-keeper', folder, signal], {
    // A session of its own: Ctrl-C in the terminal must not reach it before its parent has ended.
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  shell.stdin.on('error', () => {});
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref();
  return {
    watch: (pid) => void shell.stdin.write(`${pid ?? ''}\n`),
    release: () => void shell.stdin.end(),
  };
}
