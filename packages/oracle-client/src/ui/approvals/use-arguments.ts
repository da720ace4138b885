import { useState } from 'react';
import { isRecord } from '../../api/requests/values.js';

type Args = Readonly<Record<string, unknown>>;

/** The input kind of an argument: values other than text, number and boolean are JSON. */
export type ArgumentKind = 'text' | 'number' | 'yes-or-no' | 'json';

/** One argument as a field. */
export interface ArgumentField {
  readonly name: string;
  readonly kind: ArgumentKind;
  /** The text typed; for a boolean `true` or `false`. */
  readonly value: string;
  readonly change: (value: string) => void;
  /** The value is invalid. */
  readonly isBad: boolean;
}

export interface ArgumentsParts {
  readonly fields: readonly ArgumentField[];
  /** All of them at once, as JSON: others can be put in, and some left out. */
  readonly json: Pick<ArgumentField, 'value' | 'change' | 'isBad'>;
  readonly isAsJson: boolean;
  readonly showAsJson: (isShown: boolean) => void;
  /** Undefined while a value is invalid. */
  readonly changed: Args | undefined;
}

/** State of edited arguments, without markup. */
export function useArguments(args: Args): ArgumentsParts {
  const [isAsJson, setIsAsJson] = useState(false);
  const [wanted, setWanted] = useState(args);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [text, setText] = useState('');
  const all = readAs('json', text);
  const fields = Object.entries(wanted).map(([name, value]): ArgumentField & { read: unknown } => {
    const kind = kindOf(value);
    const shown = typed[name] ?? textOf(kind, value);
    const read = readAs(kind, shown);
    return {
      name,
      kind,
      value: shown,
      change: (next) => setTyped((before) => ({ ...before, [name]: next })),
      isBad: read === undefined,
      read,
    };
  });
  const laidOut = fields.some(({ isBad }) => isBad)
    ? undefined
    : Object.fromEntries(fields.map(({ name, read }) => [name, read]));
  const changed = isAsJson ? (isRecord(all) ? all : undefined) : laidOut;

  /** Switching preserves every readable value. */
  function showAsJson(isShown: boolean): void {
    if (isShown) setText(JSON.stringify(laidOut ?? wanted, null, 2));
    else {
      setWanted(changed ?? wanted);
      setTyped({});
    }
    setIsAsJson(isShown);
  }
  return {
    fields,
    json: { value: text, change: setText, isBad: !isRecord(all) },
    isAsJson,
    showAsJson,
    changed,
  };
}

function kindOf(value: unknown): ArgumentKind {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'yes-or-no' : 'json';
}

function textOf(kind: ArgumentKind, value: unknown): string {
  return kind === 'json' ? JSON.stringify(value, null, 2) : String(value);
}

/** Undefined if it is not of that kind. */
function readAs(kind: ArgumentKind, text: string): unknown {
  if (kind === 'text') return text;
  if (kind === 'number') return text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text);
  if (kind === 'yes-or-no') return text === 'true';
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
