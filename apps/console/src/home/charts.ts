import { html, type Html } from '@fiado/chassis/html';
import { table } from '../frame/lists';
import type { Say } from '../frame/words';

/** Units of the drawings: as wide as a small phone, so that letters keep their size there. */
const WIDTH = 320;
/** How high a drawing with labels beneath it is, and where its axis is. */
const HEIGHT = 136;
const BASE = 120;

/** The highest bar and the highest point of a line: the value stands above. */
const BAR_TOP = 16;
const LINE_TOP = 20;
/** Share of a bar's place that stays free next to it. */
const BAR_GAP = 0.2;
/** Labels beneath the bars, at most: more would touch each other. */
const MAX_LABELS = 6;
/** Room for half of the last dot of a line. */
const MARGIN = 4;

const STACK_HEIGHT = 44;
const PART_HEIGHT = 28;
/** Between two parts: colours are not the only border. */
const PART_GAP = 2;
/** Narrower parts have no room for their number, which is in the legend. */
const MIN_NUMBERED = 14;

/** A value of a chart. */
interface Point {
  label: string;
  value: number;
  /** The value for a person, such as $1,500.00. */
  text: string;
}

interface Chart {
  title: string;
  points: Point[];
  /** What the labels and the values are: headings of the table. */
  headings: [label: string, value: string];
}

/** Bars from zero, with the highest value above them. */
export function barChart(say: Say, chart: Chart): Html {
  const { points } = chart;
  const most = highestOf(points);
  const place = WIDTH / points.length;
  const every = Math.ceil(points.length / MAX_LABELS);
  const drawing = points.flatMap(({ label, value }, at) => {
    const height = most === 0 ? 0 : ((BASE - BAR_TOP) * value) / most;
    const x = (at * place).toFixed(1);
    const bar = html`<rect
      class="bar"
      x="${x}"
      y="${(BASE - height).toFixed(1)}"
      width="${(place * (1 - BAR_GAP)).toFixed(1)}"
      height="${height.toFixed(1)}"
    />`;
    return at % every === 0
      ? [bar, html`<text x="${x}" y="${String(HEIGHT - 3)}">${label}</text>`]
      : [bar];
  });
  return chartFigure(say, chart, {
    height: HEIGHT,
    drawing: [valueAxis(points), ...drawing],
  });
}

/** A line from zero to its highest value, which is written above it. */
export function lineChart(say: Say, chart: Chart): Html {
  const { points } = chart;
  const most = highestOf(points);
  const step = (WIDTH - 2 * MARGIN) / Math.max(points.length - 1, 1);
  const places = points.map(({ value }, at) => ({
    x: (MARGIN + at * step).toFixed(1),
    y: (most === 0 ? BASE : BASE - ((BASE - LINE_TOP) * value) / most).toFixed(1),
  }));
  const last = places.at(-1) ?? { x: '0', y: String(BASE) };
  return chartFigure(say, chart, {
    height: HEIGHT,
    drawing: [
      valueAxis(points),
      html`<polyline class="line" points="${places.map(({ x, y }) => `${x},${y}`).join(' ')}" />
        <circle class="bar" cx="${last.x}" cy="${last.y}" r="4" />
        <text x="0" y="${String(HEIGHT - 3)}">${points[0]?.label ?? ''}</text>
        <text class="end" x="${String(WIDTH)}" y="${String(HEIGHT - 3)}">
          ${points.at(-1)?.label ?? ''}
        </text>`,
    ],
  });
}

/** One bar whose parts add up to all; each part has its number, which the legend explains. */
export function stackedChart(say: Say, chart: Chart): Html {
  const { points } = chart;
  const total = points.reduce((sum, { value }) => sum + value, 0);
  let x = 0;
  const drawing = points.map(({ value }, at) => {
    const width = total === 0 ? 0 : (WIDTH * value) / total;
    const part = html`<rect
        class="part-${String(at)}"
        x="${x.toFixed(1)}"
        y="0"
        width="${Math.max(width - PART_GAP, 0).toFixed(1)}"
        height="${String(PART_HEIGHT)}"
      />${
        width < MIN_NUMBERED
          ? html``
          : html`<text x="${x.toFixed(1)}" y="${String(STACK_HEIGHT - 3)}">${String(at + 1)}</text>`
      }`;
    x += width;
    return part;
  });
  const legend = html`<ol class="legend">
    ${points.map(
      ({ label, text }, at) =>
        html`<li>
          <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
            <rect class="part-${String(at)}" width="10" height="10" /></svg
          >${label}: ${text}
        </li>`,
    )}
  </ol>`;
  return chartFigure(say, chart, { height: STACK_HEIGHT, drawing, legend: [legend] });
}

/** A drawing with its name for screen readers, and the same values as a table beneath. */
function chartFigure(
  say: Say,
  { title, points, headings }: Chart,
  { drawing, height, legend = [] }: { drawing: Html[]; height: number; legend?: Html[] },
): Html {
  const [label, value] = headings;
  return html`<figure class="chart">
    <figcaption>${title}</figcaption>
    <svg role="img" viewBox="0 0 ${String(WIDTH)} ${String(height)}">
      <title>${title}: ${points.map((point) => `${point.label} ${point.text}`).join(', ')}</title>
      ${drawing}
    </svg>
    ${legend}
    <details>
      <summary>${say('Ver como tabla', 'Show as a table')}</summary>
      ${table<Point>(
        title,
        [
          [label, (point) => point.label],
          [value, (point) => point.text],
        ],
        points,
        say('Sin datos.', 'No data.'),
      )}
    </details>
  </figure>`;
}

/** The highest value of a chart from zero. */
function highestOf(points: Point[]): number {
  return Math.max(...points.map(({ value }) => value), 0);
}

/** The line at zero, and the highest value in words above the drawing. */
function valueAxis(points: Point[]): Html {
  const most = highestOf(points);
  return html`<text x="0" y="11">${points.find(({ value }) => value === most)?.text ?? ''}</text>
    <line class="axis" x1="0" y1="${String(BASE)}" x2="${String(WIDTH)}" y2="${String(BASE)}" />`;
}
