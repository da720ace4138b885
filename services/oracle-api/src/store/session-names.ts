import { hkdfSha256, hmacSha256 } from '@mlango/crypto/hashing';
import type { Keyring } from '@mlango/crypto/keyring';
import { sessionIdPattern } from '@mlango/schemas/oracle-sessions';
import { ServiceError } from '@mlango/service-kit/errors';
import { z } from 'zod';
import type { ConversationStore } from './conversation-store.js';

/** Any text: names that are no session id are mapped to one. */
export const sessionName = z.string().min(1).max(200);

/** Prefixes of ids that only the service creates. */
const reservedPrefixes = ['named-', 'plugin-'] as const;

/** Characters of a plugin's name in an id, which has at most 128. */
const pluginChars = 40;

/** Creates a session of the user with this id; rejects when another user has it. */
type Create = (sessionId: string) => Promise<unknown>;

type FindSession = Pick<ConversationStore, 'findSession'>;

/**
 * Finds and opens sessions by names that clients and plugins choose. Ids of sessions are unique over all users, so a name alone would let
 * one user take the session id of another. An id that the service derives from a name is a MAC over the user too, under a reserved prefix:
 * no other user can compute it, or create it.
 */
export class SessionNames {
  readonly #conversations: FindSession;
  /** Keys of the MAC, the active one first. */
  readonly #keys: readonly Uint8Array[];

  constructor(conversations: FindSession, keyring: Keyring) {
    this.#conversations = conversations;
    this.#keys = keyring.all.map(({ bytes }) => hkdfSha256(bytes, Buffer.alloc(0), 'mlango session names', 32));
  }

  /** The user's session with this id, else the one derived from the name. */
  async find(ownerDid: string, name: string): Promise<string | undefined> {
    return this.#firstOwn(ownerDid, [...asId(name), ...this.#derived('named-', ownerDid, name)]);
  }

  /** The same; opens the session if the user has none. */
  async open(ownerDid: string, name: string, field: string, create: Create): Promise<string> {
    return (await this.find(ownerDid, name)) ?? this.openNew(ownerDid, name, field, create);
  }

  /**
   * Opens a session for a name that `find` did not find. Its id is the name if that is valid and free, else derived from it.
   * @param field request field of the name, for errors
   * @throws ServiceError for a name with a reserved prefix
   */
  async openNew(ownerDid: string, name: string, field: string, create: Create): Promise<string> {
    if (reservedPrefixes.some((prefix) => name.startsWith(prefix))) throw reserved(field);
    return this.#create(ownerDid, [...asId(name), this.#derived('named-', ownerDid, name)[0]], create);
  }

  /** The session of a plugin's user by the plugin's name of the conversation, opened if absent. */
  async openOfPlugin(plugin: string, ownerDid: string, name: string, create: Create): Promise<string> {
    const ids = this.#derived(`plugin-${plugin.slice(0, pluginChars)}-`, ownerDid, name);
    return (await this.#firstOwn(ownerDid, ids)) ?? this.#create(ownerDid, [ids[0]], create);
  }

  /** One id per key: sessions opened under an earlier key are found while the key is in the keyring. */
  #derived(prefix: string, ownerDid: string, name: string): [string, ...string[]] {
    const text = JSON.stringify([prefix, ownerDid, name]);
    const ids = this.#keys.map((key) => prefix + hmacSha256(key, text).toString('base64url'));
    return ids as [string, ...string[]];
  }

  async #firstOwn(ownerDid: string, ids: readonly string[]): Promise<string | undefined> {
    for (const id of ids) if ((await this.#conversations.findSession(ownerDid, id)) !== undefined) return id;
    return undefined;
  }

  async #create(ownerDid: string, ids: readonly string[], create: Create): Promise<string> {
    let cause: unknown;
    for (const id of ids) {
      try {
        await create(id);
        return id;
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        cause = error;
      }
      // Another request of the user may have opened it meanwhile.
      if ((await this.#firstOwn(ownerDid, [id])) !== undefined) return id;
    }
    throw new Error('the session could not be opened', { cause });
  }
}

/** The name, if it is a valid session id. */
function asId(name: string): readonly string[] {
  return sessionIdPattern.test(name) ? [name] : [];
}

function reserved(field: string): ServiceError {
  const message = `${field}: must not begin with ${reservedPrefixes.join(' or ')}: these ids are reserved`;
  return new ServiceError('invalid_argument', message, { details: { fields: [field] } });
}
