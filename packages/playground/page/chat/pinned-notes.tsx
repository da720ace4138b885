import { useAgAction } from '@mlango/oracle-client';
import { Card } from '@mlango/oracle-client/ui';
import { useState } from 'react';

const parameters = {
  type: 'object',
  properties: { text: { type: 'string', maxLength: 200 } },
  required: ['text'],
  additionalProperties: false,
} as const;

/** Notes that the oracle pins to the page for its user: an action, with a picture of itself in the chat. */
export function PinnedNotes() {
  const [notes, setNotes] = useState<readonly string[]>([]);
  useAgAction({
    name: 'pin_note',
    description: 'Pins a short note to the page, where the user keeps seeing it.',
    parameters,
    handler: ({ text }) => {
      if (typeof text !== 'string' || text === '') throw new Error('text must be a note');
      const note = text.slice(0, 200);
      setNotes((pinned) => [...pinned.filter((one) => one !== note), note]);
      return { pinned: note };
    },
    render: ({ status, args, error }) => (
      <Card
        className="tool-card"
        title={status === 'done' ? 'Pinned' : status === 'error' ? 'Not pinned' : 'Pinning…'}
        status={status}
        error={status === 'error' ? (error ?? 'Try again') : undefined}
      >
        {typeof args['text'] === 'string' ? args['text'] : null}
      </Card>
    ),
  });
  if (notes.length === 0) return null;
  return (
    <ul className="notes" aria-label="Pinned notes">
      {notes.map((note) => (
        <li key={note}>
          <span>{note}</span>
          <button
            type="button"
            className="plain tight"
            aria-label={`Remove ${note}`}
            onClick={() => setNotes(notes.filter((one) => one !== note))}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
