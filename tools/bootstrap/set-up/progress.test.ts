import { describe, expect, it, vi } from 'vitest';
import { CommandError } from '../process/run-command.mjs';
import { Progress } from './progress.mjs';

describe('Progress', () => {
  it('reports the begin and end of a step, without the output of its commands', async () => {
    let text = '';
    const progress = new Progress({
      write: (more) => {
        text += more;
      },
    });
    await progress.step('install', async (onText) => onText('many\nlines\n'));
    expect(text).toMatch(/^→ install\n✓ install \(\d+\.\d s\)\n$/);
  });

  it('shows all output on request', async () => {
    let text = '';
    const progress = new Progress({
      write: (more) => {
        text += more;
      },
      verbose: true,
    });
    await progress.step('install', async (onText) => onText('many\nlines\n'));
    expect(text).toContain('many\nlines\n');
  });

  it('shows the output of a step that fails', async () => {
    let text = '';
    const progress = new Progress({
      write: (more) => {
        text += more;
      },
    });
    const failing = progress.step('build', () =>
      Promise.reject(new CommandError('tsc ended with exit code 2', 'error TS1')),
    );
    await expect(failing).rejects.toThrow('exit code 2');
    expect(text).toMatch(/✗ build failed after \d+\.\d s\nerror TS1\n$/);
  });

  it('prints a sign of life with the last line while a step lasts', async () => {
    let text = '';
    const progress = new Progress({
      write: (more) => {
        text += more;
      },
      heartbeatMs: 10,
    });
    await progress.step('install', async (onText) => {
      onText('Progress: 10\nProgress: 20\n');
      await vi.waitFor(() => expect(text).toMatch(/… install: \d+ s \(Progress: 20\)\n/));
    });
  });
});
