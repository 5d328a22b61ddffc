import { html, type Html } from '@fiado/chassis/html';
import type { Say } from '../../words';
import { table } from '../list-page';

/** A value of a chart. */
export interface Point {
  label: string;
  value: number;
  /** The value for a person, such as $1,500.00. */
  text: string;
}

export interface Chart {
  title: string;
  points: Point[];
  /** What the labels and the values are: headings of the table. */
  headings: [label: string, value: string];
}

/** Units of the drawings: as wide as a small phone, so that letters keep their size there. */
export const CHART_WIDTH = 320;

/** A drawing with its name for screen readers, and the same values as a table beneath. */
export function chartFigure(
  say: Say,
  { title, points, headings }: Chart,
  { drawing, height, legend = [] }: { drawing: Html[]; height: number; legend?: Html[] },
): Html {
  const [label, value] = headings;
  return html`<figure class="chart">
    <figcaption>${title}</figcaption>
    <svg role="img" viewBox="0 0 ${String(CHART_WIDTH)} ${String(height)}">
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
