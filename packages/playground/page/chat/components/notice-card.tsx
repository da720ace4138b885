interface NoticeCardProps {
  readonly title?: unknown;
  readonly text?: unknown;
}

/** A card that an oracle may show by `render_component`, with words of its own. */
export function NoticeCard({ title, text }: NoticeCardProps) {
  return (
    <span className="tool-card notice-card">
      {typeof title === 'string' ? <strong>{title}</strong> : null}
      {typeof text === 'string' ? <span>{text}</span> : null}
    </span>
  );
}
