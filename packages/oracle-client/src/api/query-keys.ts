/** Query key of the sessions of a user with an oracle. */
export function sessionsKey(userDid: string, oracleDid: string): readonly string[] {
  return ['oracle-sessions', userDid, oracleDid];
}

/** Query key of the memories of a user. */
export function memoriesKey(userDid: string, oracleDid: string): readonly string[] {
  return ['mlango', 'memories', userDid, oracleDid];
}

/** Query key of the preferences of a user. */
export function preferencesKey(userDid: string, oracleDid: string): readonly string[] {
  return ['mlango', 'preferences', userDid, oracleDid];
}
