import { JsonView } from '../parts/json-view.js';

export type Message = Readonly<Record<string, unknown>>;

/** What a transaction asks for, message by message. */
export function Messages({ messages, memo }: { readonly messages: readonly Message[]; readonly memo: string }) {
  return (
    <section className="card stack" aria-label="Messages">
      {memo === '' ? null : <p>Memo: “{memo}”</p>}
      {messages.map((message, index) => {
        const { '@type': type, ...fields } = message;
        const name = String(type).split('.').at(-1) ?? '';
        return (
          <div key={index} className="stack tight-stack">
            <h3>{name}</h3>
            <JsonView value={fields} label={`Message ${index + 1}`} />
          </div>
        );
      })}
    </section>
  );
}
