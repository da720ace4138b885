/** Where how a user wants to be talked to by an oracle is kept in the page. */
export function preferencesKey(userDid: string, oracleDid: string): readonly string[] {
  return ['mlango', 'preferences', userDid, oracleDid];
}
