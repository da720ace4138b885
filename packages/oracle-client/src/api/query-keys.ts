/** Under which the sessions of a user with an oracle are cached, whatever part of them. */
export function sessionsKey(userDid: string, oracleDid: string): readonly string[] {
  return ['oracle-sessions', userDid, oracleDid];
}

/** Where what an oracle remembers of a user is kept in the page. */
export function memoriesKey(userDid: string, oracleDid: string): readonly string[] {
  return ['mlango', 'memories', userDid, oracleDid];
}

/** Where how a user wants to be talked to by an oracle is kept in the page. */
export function preferencesKey(userDid: string, oracleDid: string): readonly string[] {
  return ['mlango', 'preferences', userDid, oracleDid];
}
