import type { ComponentType } from 'react';
import type { RoomName } from './room-of.js';

/** What stands behind a door. */
export type Room = ComponentType<{
  /** The parts of the address behind the door's own. */
  readonly route: readonly string[];
}>;

const rooms: Readonly<Record<RoomName, () => Promise<Room>>> = {
  home: async () => (await import('../home/home.js')).Home,
  phone: async () => (await import('../phone/phone-door.js')).PhoneDoor,
  link: async () => asSomebody(import('../link/link-view.js').then(({ LinkView }) => LinkView)),
  chat: async () => asSomebody(import('../chat/chat-door.js').then(({ ChatDoor }) => ChatDoor)),
  chain: async () => (await import('../chain/chain-door.js')).ChainDoor,
  account: async () => asSomebody(import('../account/account-door.js').then(({ AccountDoor }) => AccountDoor)),
  lost: async () => (await import('../lost/not-found.js')).NotFound,
};

/** Opens the key of this browser beside a room that is for nobody else: what suspends for it would be in sight for a third of a second. */
async function asSomebody(loading: Promise<Room>): Promise<Room> {
  const { openIdentity } = await import('../chat/use-identity.js');
  // Without a key the room says what is missing.
  if (window.isSecureContext) await openIdentity().catch(() => undefined);
  return loading;
}

const opened = new Map<RoomName, Room>();

/** Loads a room. Rejects when its files cannot be read. */
export async function openRoom(name: RoomName): Promise<void> {
  opened.set(name, await rooms[name]());
}

/** A room that was loaded. */
export function openedRoom(name: RoomName): Room | undefined {
  return opened.get(name);
}
