/** The rooms of the page: what stands behind a door, and what does beside them. */
export type RoomName = 'home' | 'phone' | 'link' | 'chat' | 'chain' | 'account' | 'lost';

/** Which room an address leads to, its parts as `partsOf` gives them. One without a hash is home, unless the server knew no such path. */
export function roomOf([door, view]: readonly string[], pathname = '/'): RoomName {
  if (door === undefined) return pathname === '/' ? 'home' : 'lost';
  if (door === 'phone') return view === undefined ? 'phone' : view === 'link' ? 'link' : 'lost';
  return door === 'chat' || door === 'chain' || door === 'account' ? door : 'lost';
}
