/**
 * Loaded into each replica before its program: SIGWINCH, which nobody else listens to, has it collect its garbage, so that what its heap holds after that is what it
 * really keeps. The services know nothing of it.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
process.on('SIGWINCH', () => collect());
