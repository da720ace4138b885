import { recordOf, recordsOf } from '../requests/values.js';

export interface OraclePrice {
  /** In whole units of the denomination, as text. */
  readonly amount: string;
  /** Such as `uixo`. */
  readonly denom: string;
  /** The unit of the price, such as `message`, if published. */
  readonly per?: string;
  readonly title?: string;
  readonly description?: string;
}

/** Prices in a `#fee` resource: a price, a list of prices, or a service of schema.org with offers. Invalid prices are omitted. */
export function pricesOf(resource: unknown): OraclePrice[] {
  const entries = Array.isArray(resource) ? recordsOf(resource) : [recordOf(resource)];
  return entries.flatMap((entry) => {
    const offers = Array.isArray(entry['offers']) ? recordsOf(entry['offers']) : [recordOf(entry['offers'])];
    const found = [entry, ...offers.map((offer) => recordOf(offer['priceSpecification']))].flatMap(priceOf);
    return found.map((price) => ({ ...textsOf(entry, ['title', 'description']), ...price }));
  });
}

function priceOf(entry: Record<string, unknown>): OraclePrice[] {
  const price = entry['amount'] ?? entry['price'];
  const amount = typeof price === 'number' ? String(price) : price;
  const denom = entry['denom'] ?? entry['priceCurrency'];
  if (typeof amount !== 'string' || !/^\d+(\.\d+)?$/.test(amount) || typeof denom !== 'string' || denom === '')
    return [];
  const per = entry['per'] ?? entry['unitCode'];
  return [{ amount, denom, ...(typeof per === 'string' ? { per } : {}) }];
}

function textsOf(entry: Record<string, unknown>, names: readonly string[]) {
  return Object.fromEntries(names.flatMap((name) => (typeof entry[name] === 'string' ? [[name, entry[name]]] : [])));
}
