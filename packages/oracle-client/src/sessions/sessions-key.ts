/** Under which the sessions of a user with an oracle are cached, whatever part of them. */
export function sessionsKey(userDid: string, oracleDid: string): readonly string[] {
  return ['oracle-sessions', userDid, oracleDid];
}
