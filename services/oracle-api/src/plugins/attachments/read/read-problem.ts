/** Texts for the model, by reason why a file cannot be read; none contains an address. */
const words = {
  no_homeservers:
    'this oracle is not set up to read files from Matrix: the operator must list the homeserver in MATRIX_HOMESERVERS',
  homeserver_missing: 'the app did not name its Matrix homeserver',
  homeserver_not_allowed:
    "this oracle may not read from the user's homeserver: the operator must list it in MATRIX_HOMESERVERS",
  token_missing: 'the app sent no Matrix access token along with the message',
  room_missing: 'it is an event of a Matrix room, and the app did not name the room',
  bad_address: 'its address is invalid',
  host_not_allowed: 'this oracle may not read from its host: the operator must list the host in ATTACHMENT_HOSTS',
  forbidden_address: 'its address leads to a host that this oracle does not call',
  unreachable: 'its host could not be reached, or sent an unexpected response',
  timeout: 'reading it took too long',
  absent: 'it does not exist, or no longer exists',
  no_access: 'the homeserver does not let the user read it: the Matrix access token may have expired',
  moved: 'its address redirects to a host that this oracle may not read from',
  compressed: 'it arrived compressed, although compression was not requested',
  too_large: 'it is larger than the limit of this oracle',
  no_file: 'its event has no file',
  encrypted_event: 'its event is encrypted, and the oracle has no key for it',
  damaged: 'it is damaged, was modified, or its key is wrong',
  unreadable_type:
    'it is neither text, nor a PDF, nor an image (PNG, JPEG, GIF, WebP), nor a recording (WebM, Ogg, MP4, WAV, MP3)',
  no_listener:
    'it is a recording, and this oracle is not set up to listen: the operator must set TRANSCRIPTION_BASE_URL',
  transcription_failed: 'it is a recording, and its transcription failed',
  no_speech: 'it is a recording, and no speech was found in it',
  type_off: 'this oracle does not read files of that kind',
  blind_model: 'the model that answers cannot look at images; another one may',
  no_text: 'no text could be found in it',
  busy: 'the oracle is reading too many files now; it can be sent again later',
};

export type ReadProblem = keyof typeof words;

/** A file that cannot be read. The cause must not be shown or logged: it may contain an address. */
export class ReadError extends Error {
  override readonly name = 'ReadError';
  readonly problem: ReadProblem;

  constructor(problem: ReadProblem) {
    super(`the file cannot be read: ${problem}`);
    this.problem = problem;
  }
}

export function inWords(problem: ReadProblem): string {
  return words[problem];
}
