import { isLink } from 'multiformats/link';

/**
 * Data as DAG-JSON: no spaces, keys in order, bytes and links as maps of `/` (IPLD's DAG-JSON specification).
 * @throws TypeError for what is no data, such as undefined or an instance of a class.
 */
export function dagJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'bigint':
      return value.toString();
    case 'number':
      if (Number.isFinite(value)) return String(value);
      break;
    case 'object':
      return objectJson(value);
    default:
  }
  throw new TypeError('not data');
}

function objectJson(value: object | null): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map(dagJson).join(',')}]`;
  if (value instanceof Uint8Array) {
    const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
    return `{"/":{"bytes":"${text.replace(/=+$/, '')}"}}`;
  }
  if (isLink(value)) return `{"/":"${value.toString()}"}`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('not data');
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${dagJson(item)}`).join(',')}}`;
}
