import type { Ref } from 'react';
import { edgeLabel, formatShare } from '../format.js';
import { type Drawing, type DrawnScreen, type DrawnWay, screenSize } from './layout.js';

interface MapDrawingProps {
  readonly drawing: Drawing;
  readonly place: string | undefined;
  readonly opened: string | undefined;
  readonly onOpen: (screen: string) => void;
  /** Whether the drawing is scaled to fit. */
  readonly whole: boolean;
  readonly ref: Ref<SVGSVGElement>;
}

/** The flow as SVG; each screen is a button. */
export function MapDrawing({ drawing, place, opened, onOpen, whole, ref }: MapDrawingProps) {
  const { width, height, screens, ways } = drawing;
  const most = Math.max(1, ...ways.map(({ people }) => people));
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no element for a group of controls.
    <svg
      ref={ref}
      className="map-drawing"
      role="group"
      aria-label="Screens of the flow"
      viewBox={`0 0 ${width} ${height}`}
      {...(whole ? {} : { width, height })}
    >
      <defs>
        <marker
          id="map-arrow"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerUnits="userSpaceOnUse"
          markerWidth="9"
          markerHeight="9"
          orient="auto-start-reverse"
        >
          <path className="map-arrow" d="M0 0 8 4 0 8z" />
        </marker>
      </defs>
      {ways.map((way) => (
        <WayLine key={`${way.from} ${way.to}`} way={way} most={most} isHere={way.from === place} />
      ))}
      {screens.map((screen) => (
        <ScreenBox
          key={screen.screen}
          screen={screen}
          isHere={screen.screen === place}
          isOpen={screen.screen === opened}
          onOpen={onOpen}
        />
      ))}
    </svg>
  );
}

function WayLine({ way, most, isHere }: { readonly way: DrawnWay; readonly most: number; readonly isHere: boolean }) {
  const { kind, people, points, label } = way;
  const classes = ['map-way', `map-way-${kind}`, people === 0 ? 'map-way-unused' : '', isHere ? 'map-way-here' : ''];
  return (
    <g className={classes.filter(Boolean).join(' ')}>
      <path
        d={curve(points)}
        strokeWidth={people === 0 ? 1 : 1.5 + (2.5 * people) / most}
        markerEnd="url(#map-arrow)"
      />
      {people === 0 ? null : (
        <text x={label.x} y={label.y + 4} textAnchor="middle">
          {edgeLabel(way)}
        </text>
      )}
    </g>
  );
}

interface ScreenBoxProps {
  readonly screen: DrawnScreen;
  readonly isHere: boolean;
  readonly isOpen: boolean;
  readonly onOpen: (screen: string) => void;
}

function ScreenBox({ screen, isHere, isOpen, onOpen }: ScreenBoxProps) {
  const { kind, title, visits, dropOff, x, y } = screen;
  const { width, height } = screenSize;
  const open = () => onOpen(screen.screen);
  const visitCount = visits === 1 ? '1 visit' : `${visits} visits`;
  const figures = visits === 0 ? 'no visits yet' : `${visitCount}${dropOff ? `, ${formatShare(dropOff)} left` : ''}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: there is no button in SVG.
    <g
      ref={reachByTab}
      className={`map-screen map-screen-${kind}${isHere ? ' map-screen-here' : ''}${isOpen ? ' map-screen-open' : ''}`}
      transform={`translate(${x - width / 2} ${y - height / 2})`}
      role="button"
      aria-current={isHere ? 'location' : undefined}
      aria-pressed={isOpen}
      data-screen={screen.screen}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        open();
      }}
    >
      <rect width={width} height={height} rx={kind === 'entry' ? 4 : kind === 'closing' ? 25 : 10} />
      <text className="map-name" x={width / 2} y="17" textAnchor="middle">
        {cut(screen.screen, 22)}
      </text>
      <text className="map-title" x={width / 2} y="31" textAnchor="middle">
        {cut(title, 27)}
      </text>
      <text className="map-figures" x={width / 2} y="43" textAnchor="middle">
        {figures}
      </text>
    </g>
  );
}

/** SVG attribute names are case-sensitive, and Preact keeps `tabIndex` as written. */
function reachByTab(box: SVGGElement | null): void {
  box?.setAttribute('tabindex', '0');
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** A path through the midpoints of the segments, with rounded corners. */
function curve(points: DrawnWay['points']): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) return '';
  const bends = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? last;
    return `Q${point.x} ${point.y} ${(point.x + next.x) / 2} ${(point.y + next.y) / 2}`;
  });
  return `M${first.x} ${first.y}${bends.join('')}L${last.x} ${last.y}`;
}
