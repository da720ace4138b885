/** Where what an oracle remembers of a user is kept in the page. */
export function memoriesKey(userDid: string, oracleDid: string): readonly string[] {
  return ['mlango', 'memories', userDid, oracleDid];
}
