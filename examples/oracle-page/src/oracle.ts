/** Which oracle the page speaks with, and where that is. */
export interface Oracle {
  readonly oracleDid: string;
  readonly baseUrl: string;
}
