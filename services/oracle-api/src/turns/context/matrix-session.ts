/** A user's session at Matrix, as it came with a message. For what reads their files; neither kept nor logged. */
export interface MatrixSession {
  /** As the client names it: a URL, or a host. */
  readonly homeserver?: string;
  readonly accessToken?: string;
}
