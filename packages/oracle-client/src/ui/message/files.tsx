import { type ReactElement, useEffect, useState } from 'react';
import type { IMessage } from '../../api/chat/message.js';
import { useWords } from '../../words/words.js';
import { fileSize, isSound, shownName } from '../parts/files.js';
import { Icon } from '../parts/icon.js';
import type { MessageActs } from './message-props.js';

type Attachment = NonNullable<IMessage['attachments']>[number];
type Open = MessageActs['openAttachment'];

interface FilesProps {
  readonly attachments: readonly Attachment[];
  /** Absent: they are named alone. */
  readonly open: Open;
}

/** The files of a message: those stored at the oracle can be viewed and saved. */
export function Files({ attachments, open }: FilesProps): ReactElement {
  return (
    <ul className="mlango-files" aria-label={useWords().message.attachments}>
      {attachments.map((file) => (
        // An uploaded file keeps its id when the message is stored.
        <li key={typeof file['attachmentId'] === 'string' ? file['attachmentId'] : JSON.stringify(file)}>
          <File file={file} open={open} />
        </li>
      ))}
    </ul>
  );
}

function File({ file, open }: { readonly file: Attachment; readonly open: Open }): ReactElement {
  const words = useWords();
  const [isUnavailable, setIsUnavailable] = useState(false);
  const { attachmentId: id, filename, mimetype, size } = file;
  const name = typeof filename === 'string' ? shownName(filename, words.voice.note) : '';
  const [sound, setSound] = useState<ReactElement>();
  const sized = typeof size === 'number' ? fileSize(size, words.language) : '';
  const named = (
    <>
      <Icon name={isSound(mimetype) ? 'play' : 'file'} />
      <span className="mlango-file-name">{name}</span> <span className="mlango-muted">{sized}</span>
      {isUnavailable ? <span role="alert">{words.message.fileUnavailable}</span> : null}
    </>
  );
  if (open === undefined || typeof id !== 'string' || isUnavailable) return named;
  const onUnavailable = () => setIsUnavailable(true);
  if (images.has(mimetype)) return <Picture id={id} name={name} open={open} onUnavailable={onUnavailable} />;
  if (sound !== undefined) return sound;
  const isVoice = isSound(mimetype);
  const play = async () => {
    const [blob, { Sound }] = await Promise.all([open(id), import('../voice/sound.js')]);
    setSound(<Sound blob={blob} name={name} isPlaying />);
  };
  const save = async () => {
    const url = URL.createObjectURL(await open(id));
    Object.assign(document.createElement('a'), { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), savingMs);
  };
  return (
    <button
      type="button"
      className="mlango-file"
      aria-label={`${isVoice ? words.voice.play(name) : words.message.openFile(name)} ${sized}`.trim()}
      onClick={() => void (isVoice ? play() : save()).catch(onUnavailable)}
    >
      {named}
    </button>
  );
}

/** How long a browser may take to begin with a file. */
const savingMs = 10_000;
/** A media type that browsers neither render nor run. */
const images = new Set<unknown>(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

interface PictureProps {
  readonly id: string;
  readonly name: string;
  readonly open: NonNullable<Open>;
  readonly onUnavailable: () => void;
}

/** A thumbnail of an image, which opens the whole image. */
function Picture({ id, name, open, onUnavailable }: PictureProps): ReactElement {
  const words = useWords().message;
  const [url, setUrl] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads once, on mount.
  useEffect(() => {
    const left = new AbortController();
    let made: string | undefined;
    open(id, left.signal).then(
      (blob) => {
        if (left.signal.aborted || !images.has(blob.type)) return;
        made = URL.createObjectURL(blob);
        setUrl(made);
      },
      () => left.signal.aborted || onUnavailable(),
    );
    return () => {
      left.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [id, open]);
  return (
    <a className="mlango-picture" href={url} target="_blank" rel="noreferrer" aria-label={words.openFile(name)}>
      {url === undefined ? null : <img src={url} alt={name} />}
    </a>
  );
}
