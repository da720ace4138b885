import type { ComponentType } from 'react';

/** What stands behind a door. */
export type Room = ComponentType<{
  /** The parts of the address behind the door's own. */
  readonly route: readonly string[];
}>;

const rooms = {
  home: async (): Promise<Room> => (await import('../home/home.js')).Home,
  phone: async (): Promise<Room> => (await import('../phone/phone-door.js')).PhoneDoor,
  link: async (): Promise<Room> => (await import('../link/link-view.js')).LinkView,
  chat: async (): Promise<Room> => (await import('../chat/chat-door.js')).ChatDoor,
  chain: async (): Promise<Room> => (await import('../chain/chain-door.js')).ChainDoor,
};

type RoomName = keyof typeof rooms;

const opened = new Map<RoomName, Room>();

/** Which room an address leads to. */
export function roomOf([door, view]: readonly string[]): RoomName {
  if (door === 'phone') return view === 'link' ? 'link' : 'phone';
  return door === 'chat' || door === 'chain' ? door : 'home';
}

/** Loads a room. Rejects when its files cannot be read. */
export async function openRoom(name: RoomName): Promise<void> {
  opened.set(name, await rooms[name]());
}

/** A room that was loaded. */
export function openedRoom(name: RoomName): Room | undefined {
  return opened.get(name);
}
