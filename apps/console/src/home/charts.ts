import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import { link, percentOf } from '../frame/formats';
import { table } from '../frame/parts';
import { say } from '../frame/words';

/** Units of the drawings: as wide as a small phone, so that letters keep their size there. */
const WIDTH = 320;
/** How high a drawing with labels beneath it is, and where its axis is. */
const HEIGHT = 116;
const BASE = 98;

/** The highest bar: its value stands above. */
const BAR_TOP = 14;
/** Between two bars and two parts: colours are not the only border. */
const GAP = 2;
/** Labels beneath the bars, at most: more would touch each other. */
const MAX_LABELS = 4;

const PART_HEIGHT = 11;

/** A value of a chart. */
interface Point {
  label: string;
  value: number;
  /** The value for a person, such as $1,500.00. */
  text: string;
  /** Where the rows are that it sums. */
  href?: string;
}

interface Chart {
  title: string;
  points: Point[];
  /** What the labels and the values are: headings of the table. */
  headings: [label: string, value: string];
  /** Which point is not over yet. */
  now?: number;
}

/** A figure with what it counts, a note, and where it leads. */
export type Figure = [name: string, value: string, note: string, href?: string];

/** A card of figures, and what stands below them. */
export function figuresCard(
  label: string,
  figures: Array<Figure | false>,
  below?: HtmlValue,
): Html {
  return html`<section class="card" aria-label="${label}">
    <dl class="figures">
      ${figures
        .filter((figure) => figure !== false)
        .map(
          ([name, value, note, href]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>
                <strong>${href === undefined ? value : link(href, value)}</strong
                ><span class="quiet small">${note}</span>
              </dd>
            </div>`,
        )}
    </dl>
    ${below}
  </section>`;
}

/** Days overdue, as the API groups them, in words. */
export function daysOverdue(days: string): string {
  if (days === '0') return say('Al corriente', 'Not due');
  const [from = '', to] = days.replace('+', '').split('-');
  return to === undefined
    ? say(`${from} días o más`, `${from} days or more`)
    : say(`${from} a ${to} días`, `${from} to ${to} days`);
}

/** Bars from zero, with the highest value above them. */
export function barChart(chart: Chart): Html {
  const { points, now } = chart;
  const most = Math.max(...points.map(({ value }) => value), 0);
  const place = WIDTH / points.length;
  const every = Math.ceil(points.length / MAX_LABELS);
  const drawing = points.flatMap(({ label, value }, at) => {
    const height = most === 0 ? 0 : ((BASE - BAR_TOP) * value) / most;
    const x = (at * place).toFixed(1);
    const bar = html`<rect
      class="drawn${at === now ? ' now' : ''}"
      x="${x}"
      y="${(BASE - height).toFixed(1)}"
      width="${(place - GAP).toFixed(1)}"
      height="${height.toFixed(1)}"
      rx="1.5"
    />`;
    return at % every === 0
      ? [bar, html`<text x="${x}" y="${String(HEIGHT - 4)}">${label}</text>`]
      : [bar];
  });
  return chartFigure(chart, {
    height: HEIGHT,
    drawing: [
      html`<text x="0" y="9">${points.find(({ value }) => value === most)?.text ?? ''}</text>
        <line
          class="axis"
          x1="0"
          y1="${String(BASE)}"
          x2="${String(WIDTH)}"
          y2="${String(BASE)}"
        />`,
      ...drawing,
    ],
  });
}

/** One bar whose parts add up to all, and a legend with the amount and the share of each. */
export function shareChart(chart: Chart): Html {
  const { points } = chart;
  const total = points.reduce((sum, { value }) => sum + value, 0);
  let x = 0;
  const drawing = points.map(({ value }, at) => {
    const width = total === 0 ? 0 : (WIDTH * value) / total;
    const part = html`<rect
      class="part-${String(at)}"
      x="${x.toFixed(1)}"
      y="0"
      width="${Math.max(width - GAP, 0).toFixed(1)}"
      height="${String(PART_HEIGHT)}"
      rx="2"
    />`;
    x += width;
    return part;
  });
  const legend = html`<ul class="legend">
    ${points.map(
      ({ label, text, value, href }, at) =>
        html`<li>
          <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
            <rect class="part-${String(at)}" width="10" height="10" rx="2" /></svg
          ><span>${href === undefined ? label : link(href, label)}</span
          ><span class="money">${text}</span
          ><span class="money"
            >${total === 0 ? '—' : percentOf(Math.round((value / total) * 1000) / 1000)}</span
          >
        </li>`,
    )}
  </ul>`;
  return chartFigure(chart, { height: PART_HEIGHT, drawing, legend });
}

/** A drawing with its name for screen readers, and the same values as a table beneath. */
function chartFigure(
  { title, points, headings }: Chart,
  { drawing, height, legend }: { drawing: Html[]; height: number; legend?: Html },
): Html {
  const [label, value] = headings;
  return html`<figure class="card chart">
    <figcaption>${title}</figcaption>
    <svg role="img" viewBox="0 0 ${String(WIDTH)} ${String(height)}">
      <title>${title}: ${points.map((point) => `${point.label} ${point.text}`).join(', ')}</title>
      ${drawing}
    </svg>
    ${legend}
    <details>
      <summary>${say('Ver tabla', 'Show as a table')}</summary>
      ${table<Point>(
        title,
        [
          [label, (point) => point.label, 'name'],
          [value, (point) => point.text, 'money'],
        ],
        points,
        { empty: say('Sin datos.', 'No data.') },
      )}
    </details>
  </figure>`;
}
