import type { Ref } from 'react';
import { formatCount, formatShare, formatTime } from '../format.js';
import { type Drawing, type DrawnScreen, type DrawnWay, screenSize } from './layout.js';

interface MapDrawingProps {
  readonly drawing: Drawing;
  /** The screen that the phone shows. */
  readonly current: string | undefined;
  readonly opened: string | undefined;
  readonly onOpen: (screen: string) => void;
  /** Whether the drawing is scaled to fit. */
  readonly isScaled: boolean;
  readonly ref: Ref<SVGSVGElement>;
}

/** The flow as SVG; each screen is a button. */
export function MapDrawing({ drawing, current, opened, onOpen, isScaled, ref }: MapDrawingProps) {
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
      {...(isScaled ? {} : { width, height })}
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
        <WayLine key={`${way.from} ${way.to}`} way={way} most={most} isCurrent={way.from === current} />
      ))}
      {screens.map((screen) => (
        <ScreenBox
          key={screen.screen}
          screen={screen}
          isCurrent={screen.screen === current}
          isOpen={screen.screen === opened}
          onOpen={onOpen}
        />
      ))}
    </svg>
  );
}

interface WayLineProps {
  readonly way: DrawnWay;
  /** The largest number of uses of a way. */
  readonly most: number;
  readonly isCurrent: boolean;
}

function WayLine({ way: { people, medianMs, path, label }, most, isCurrent }: WayLineProps) {
  const classes = ['map-way', people === 0 ? 'map-way-unused' : '', isCurrent ? 'map-way-current' : ''];
  return (
    <g className={classes.filter(Boolean).join(' ')}>
      <path d={path} strokeWidth={people === 0 ? 1 : 1.5 + (2.5 * people) / most} markerEnd="url(#map-arrow)" />
      {people === 0 ? null : (
        <text x={label.x} y={label.y + 4}>
          {formatCount(people, 'time')}
          {medianMs === null ? '' : `, ${formatTime(medianMs)}`}
        </text>
      )}
    </g>
  );
}

interface ScreenBoxProps {
  readonly screen: DrawnScreen;
  readonly isCurrent: boolean;
  readonly isOpen: boolean;
  readonly onOpen: (screen: string) => void;
}

/** Distance of the drop-off bar from the edges of its screen. */
const barMargin = 10;

function ScreenBox({ screen, isCurrent, isOpen, onOpen }: ScreenBoxProps) {
  const { kind, title, visits, dropOff, alsoTo, isStart, x, y } = screen;
  const { width, height } = screenSize;
  const barWidth = width - 2 * barMargin;
  const open = () => onOpen(screen.screen);
  const figures =
    visits === 0
      ? 'no visits yet'
      : [formatCount(visits, 'visit'), ...(dropOff === null ? [] : [`${formatShare(dropOff)} left`])].join(', ');
  return (
    // biome-ignore lint/a11y/useSemanticElements: there is no button in SVG.
    <g
      ref={makeFocusable}
      className={`map-screen map-screen-${kind}${isCurrent ? ' map-screen-current' : ''}${isOpen ? ' map-screen-open' : ''}`}
      transform={`translate(${x - width / 2} ${y - height / 2})`}
      role="button"
      aria-current={isCurrent ? 'location' : undefined}
      aria-pressed={isOpen}
      data-screen={screen.screen}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        open();
      }}
    >
      {isStart ? (
        <text className="map-start" x={width / 2} y="-7" textAnchor="middle">
          Start
        </text>
      ) : null}
      <rect className="map-box" width={width} height={height} rx={cornersOf(kind)} />
      <text className="map-name" x={width / 2} y="18" textAnchor="middle">
        {shortened(screen.screen, 24)}
      </text>
      <text x={width / 2} y="32" textAnchor="middle">
        {shortened(title, 30)}
      </text>
      <text className="map-figures" x={width / 2} y="46" textAnchor="middle">
        {figures}
      </text>
      {dropOff === null ? null : (
        <>
          <rect className="map-bar" x={barMargin} y="52" width={barWidth} height="4" rx="2" />
          <rect className="map-left" x={barMargin} y="52" width={barWidth * dropOff} height="4" rx="2" />
        </>
      )}
      {alsoTo.length === 0 ? null : (
        <text x={width / 2} y="68" textAnchor="middle">
          {shortened(`↩ ${alsoTo.join(', ')}`, 32)}
        </text>
      )}
    </g>
  );
}

function cornersOf(kind: DrawnScreen['kind']): number {
  return { entry: 4, menu: 10, closing: 24 }[kind];
}

/** SVG attribute names are case-sensitive, and Preact keeps `tabIndex` as written. */
function makeFocusable(box: SVGGElement | null): void {
  box?.setAttribute('tabindex', '0');
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
