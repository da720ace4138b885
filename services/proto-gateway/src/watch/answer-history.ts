interface Span {
  readonly digest: string;
  readonly first: number;
  last: number;
}

/** Changes that are remembered. */
const SPANS = 64;

/** What a query was answered at the blocks it was asked at. Of a block in between nothing is claimed. */
export class AnswerHistory {
  #spans: Span[] = [];

  note(height: number, digest: string): void {
    const last = this.#spans.at(-1);
    if (last !== undefined && height <= last.last) this.#spans = [];
    else if (last !== undefined && last.digest === digest && last.last === height - 1) {
      last.last = height;
      return;
    }
    this.#spans.push({ digest, first: height, last: height });
    if (this.#spans.length > SPANS) this.#spans.shift();
  }

  /** The digest of the answer at a block; `undefined` where it was not asked, or where that is forgotten. */
  at(height: number): string | undefined {
    return this.#spans.find(({ first, last }) => first <= height && height <= last)?.digest;
  }
}
