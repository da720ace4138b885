/** A problem of one field of a request. Source: google.rpc.BadRequest. */
export interface Violation {
  readonly field: string;
  readonly description: string;
}
