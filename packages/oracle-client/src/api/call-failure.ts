/**
 * `refused`: the oracle opens no call (see the cause). `encryption_unsupported`: this browser cannot encrypt media, and nothing
 * was sent. `encryption_failed`: media cannot be encrypted or decrypted. `unreachable`: no connection to the media server, or it
 * ended for good. `devices`: microphone or camera cannot be used. `replaced`: the same call was joined in another page.
 */
export type CallFailure =
  | 'refused'
  | 'encryption_unsupported'
  | 'encryption_failed'
  | 'unreachable'
  | 'devices'
  | 'replaced';
