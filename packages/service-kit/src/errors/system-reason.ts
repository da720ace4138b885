/** Error codes of the operating system as texts that an operator can act on. */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota of this user is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is no folder',
  EEXIST: 'something else is there already',
  EISDIR: 'it is a folder',
  EIO: 'the disk cannot be read or written',
  EMFILE: 'this process has too many files open',
  ENFILE: 'this machine has too many files open',
};

/** Error numbers of WASI, under which the embedded database runs: it throws objects with a number only. */
const embeddedCodes: Readonly<Record<number, string>> = {
  2: 'EACCES',
  19: 'EDQUOT',
  29: 'EIO',
  31: 'EISDIR',
  33: 'EMFILE',
  41: 'ENFILE',
  44: 'ENOENT',
  51: 'ENOSPC',
  54: 'ENOTDIR',
  63: 'EPERM',
  69: 'EROFS',
};

/** The operating system's error code of a Node error or of an error of the embedded database. */
export function systemCode(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code;
  const isEmbedded = 'name' in thrown && thrown.name === 'ErrnoError' && 'errno' in thrown;
  return isEmbedded ? embeddedCodes[Number(thrown.errno)] : undefined;
}

/** Such as `no space is left on the disk (ENOSPC)`; the code alone if it has no text. */
export function systemReason(code: string): string {
  const reason = reasons[code];
  return reason === undefined ? code : `${reason} (${code})`;
}
