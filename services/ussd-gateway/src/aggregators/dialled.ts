const code = /^\*?([0-9]+(?:\*[0-9]+)*)#?$/;

export interface Dialled {
  readonly serviceCode: string;
  /** The part dialled after the code: `1*2` of `*713*1*2#`. */
  readonly text: string;
}

/** Service codes of this gateway. */
export interface KnownCodes {
  /** Whether `SERVICE_CODES` or `services.yaml` names a code. */
  isListed(serviceCode: string): boolean;
  /** Whether a new session may begin with a code that is not in the settings. An input of a lost session looks the same. */
  acceptsUnlisted(serviceCode: string): boolean;
  /** Whether a dial without a code is served: only with a single service, so that it is unambiguous. */
  readonly mayBeMissing: boolean;
}

/**
 * Parses the dial of a session. The part after the service code is a shortcut into the menus. If the aggregator does not
 * send the code, it is the longest one of the settings, else the whole dialled text.
 *
 * @param serviceCode `*<digits>#`, or undefined.
 */
export function readDialled(dialled: string, serviceCode: string | undefined, codes: KnownCodes): Dialled {
  const path = code.exec(dialled.trim())?.[1];
  if (serviceCode === undefined) {
    return path === undefined ? { serviceCode: '', text: '' } : (longestNamed(path, codes) ?? whole(path));
  }
  const begin = `${serviceCode.slice(1, -1)}*`;
  return { serviceCode, text: path?.startsWith(begin) === true ? path.slice(begin.length) : '' };
}

/**
 * Parses an input as a dial, for aggregators that do not mark the first request and send the code without `*` and `#`.
 * Undefined if the input cannot be a dial.
 */
export function readPossibleDial(input: string, codes: KnownCodes): Dialled | undefined {
  if (input === '') return codes.mayBeMissing ? { serviceCode: '', text: '' } : undefined;
  const path = code.exec(input.trim())?.[1];
  if (path === undefined) return undefined;
  return longestNamed(path, codes) ?? (codes.acceptsUnlisted(whole(path).serviceCode) ? whole(path) : undefined);
}

/** Most groups of a service code. */
const mostGroups = 8;

/**
 * Parses a text that accumulates behind a shared code. Behind `*415#` the text `33*1` is `1` in the service `*415*33#`
 * if the settings have that code; else the whole text is an input of `*415#`. The first part may have its dialled form:
 * `*415*33#`.
 */
export function readShared(text: string, serviceCode: string, codes: KnownCodes): Dialled {
  const begin = serviceCode.slice(0, -1);
  const behind = text.startsWith(begin) && text.endsWith('#') ? text.slice(begin.length, -1) : undefined;
  const typed = behind === '' || behind?.startsWith('*') === true ? behind.slice(1) : text;
  const groups = typed.split('*', mostGroups);
  const others = groups.findIndex((group) => !/^[0-9]+$/.test(group));
  for (let count = others === -1 ? groups.length : others; count > 0; count--) {
    const extension = groups.slice(0, count).join('*');
    const extended = `${begin}*${extension}#`;
    if (codes.isListed(extended)) return { serviceCode: extended, text: typed.slice(extension.length + 1) };
  }
  return { serviceCode, text: typed };
}

/** Whether an input has the form of a dialled code, such as `*115#`. */
export function looksDialled(input: string): boolean {
  return input.startsWith('*') && input.endsWith('#') && code.test(input);
}

function longestNamed(path: string, codes: KnownCodes): Dialled | undefined {
  const groups = path.split('*');
  for (let count = groups.length; count > 0; count--) {
    const { serviceCode } = whole(groups.slice(0, count).join('*'));
    if (codes.isListed(serviceCode)) return { serviceCode, text: groups.slice(count).join('*') };
  }
  return undefined;
}

const whole = (path: string): Dialled => ({ serviceCode: `*${path}#`, text: '' });
