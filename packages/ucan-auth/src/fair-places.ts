/** A place that was taken. Given back once, however often it is released. */
export interface Place {
  release(): void;
}

/**
 * So many places, shared fairly by those who hold them. Anybody may have all that are free; once none is, whoever has the
 * most gives up the last one taken to somebody who has at least two fewer. So one holder never shuts out another, and
 * of m holders each gets an m-th.
 */
export class FairPlaces {
  readonly #limit: number;
  readonly #held = new Map<string, Set<Place>>();
  readonly #onLost = new Map<Place, () => void>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Undefined when there is none for this holder. `onLost` is called when the place goes to somebody else. */
  take(holder: string, onLost: () => void): Place | undefined {
    if (this.#onLost.size >= this.#limit && !this.#makeRoom(this.#held.get(holder)?.size ?? 0)) return undefined;
    const places = this.#held.get(holder) ?? new Set();
    const place: Place = {
      release: () => {
        if (!this.#onLost.delete(place)) return;
        places.delete(place);
        if (places.size === 0) this.#held.delete(holder);
      },
    };
    this.#held.set(holder, places.add(place));
    this.#onLost.set(place, onLost);
    return place;
  }

  #makeRoom(had: number): boolean {
    let most: ReadonlySet<Place> = new Set();
    for (const places of this.#held.values()) if (places.size > most.size) most = places;
    const last = [...most].at(-1);
    if (last === undefined || most.size < had + 2) return false;
    const onLost = this.#onLost.get(last);
    last.release();
    onLost?.();
    return true;
  }
}
