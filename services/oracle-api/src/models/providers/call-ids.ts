import { createHash } from 'node:crypto';

/** LiteLLM puts signatures into ids. */
const longestId = 65_536;

/** Call ids of one request: the endpoint's own where they can be used, else ids that every endpoint accepts. */
export class CallIds {
  readonly #used = new Set<string>();

  /**
   * @param native the endpoint's own id; not used when it is blank, too long or used before in this request
   * @param own this service's id, from which the substitute is derived, so that it is the same from request to request
   */
  take(native: string | undefined, own: string): string {
    const isUsable = native !== undefined && native.trim() !== '' && native.length <= longestId;
    let id = isUsable ? native : derivedId(own, 0);
    for (let attempt = 1; this.#used.has(id); attempt++) id = derivedId(own, attempt);
    this.#used.add(id);
    return id;
  }
}

/** Nine letters and digits: Mistral accepts no other form. */
function derivedId(own: string, attempt: number): string {
  return createHash('sha256').update(`${attempt}:${own}`).digest('hex').slice(0, 9);
}
