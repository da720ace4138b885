/** What is wrong with one field of a request, for people. Source: google.rpc.BadRequest. */
export interface Violation {
  readonly field: string;
  readonly description: string;
}
