const code = /^\*?([0-9]+(?:\*[0-9]+)*)#?$/;

export interface Dialled {
  readonly serviceCode: string;
  /** What was dialled beyond the code: `1*2` of `*713*1*2#`. */
  readonly text: string;
}

/**
 * Reads what a user dialled to begin a session. Where the gateway names the service code, what follows it is a shortcut
 * into the menus; where it does not, nobody can tell where the code ends, and all of it counts as the code.
 *
 * @param serviceCode `*<digits>#`, or undefined.
 */
export function readDialled(dialled: string, serviceCode: string | undefined): Dialled {
  const path = code.exec(dialled.trim())?.[1];
  if (serviceCode === undefined) return { serviceCode: path === undefined ? '' : `*${path}#`, text: '' };
  const begin = `${serviceCode.slice(1, -1)}*`;
  return { serviceCode, text: path?.startsWith(begin) === true ? path.slice(begin.length) : '' };
}

/** Whether an input has the form of a dialled code, such as `*115#`. */
export function looksDialled(input: string): boolean {
  return input.startsWith('*') && input.endsWith('#') && code.test(input);
}
