/** Texts for the model, by reason why a file cannot be read; none contains an address. */
const words = {
  no_homeservers:
    'this oracle is not set up to read files from Matrix: whoever runs it has to name the homeserver in MATRIX_HOMESERVERS',
  homeserver_missing: 'the app did not say which Matrix homeserver it is on',
  homeserver_not_allowed:
    "this oracle may not read from the user's homeserver: whoever runs it has to name that in MATRIX_HOMESERVERS",
  token_missing: 'the app sent no Matrix access token along with the message',
  room_missing: 'it is an event of a Matrix room, and the app did not say which room',
  bad_address: 'its address makes no sense',
  host_not_allowed:
    'this oracle may not read from where it is: whoever runs it has to name that host in ATTACHMENT_HOSTS',
  forbidden_address: 'its address leads to a place that this oracle does not call',
  unreachable: 'where it is could not be reached, or did not answer as it should',
  timeout: 'reading it took too long',
  absent: 'it is not there, or not any more',
  no_access: 'the homeserver does not let the user read it: the Matrix access token may have expired',
  moved: 'its address leads on to a place that this oracle may not read from',
  compressed: 'it arrived compressed, which was not asked for',
  too_large: 'it is larger than what this oracle reads',
  no_file: 'the event it names holds no file',
  encrypted_event: 'the event it names is encrypted, and the oracle has no key for it',
  damaged: 'it is damaged, was changed on the way, or its key is a wrong one',
  unreadable_type:
    'it is neither text, nor a PDF, nor an image (PNG, JPEG, GIF, WebP), nor a recording (WebM, Ogg, MP4, WAV, MP3)',
  no_listener:
    'it is a recording, and this oracle is not set up to listen: whoever runs it has to name a service in TRANSCRIPTION_BASE_URL',
  not_heard: 'it is a recording, and the service that writes down what is said in it did not do so',
  nothing_said: 'it is a recording, and nothing that is said could be heard in it',
  type_off: 'this oracle does not read files of that kind',
  blind_model: 'the model that answers cannot look at images; another one may',
  no_text: 'no text could be found in it',
  busy: 'the oracle is reading too many files just now; it may be sent again in a moment',
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
