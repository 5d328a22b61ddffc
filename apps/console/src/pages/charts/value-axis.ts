import { html, type Html } from '@fiado/chassis/html';
import { CHART_WIDTH, type Point } from './chart-figure';

/** Where the axis is, and how high a drawing with labels beneath it is. */
export const BASE = 120;
export const HEIGHT = 136;

/** The highest value of a chart from zero. */
export function highestOf(points: Point[]): number {
  return Math.max(...points.map(({ value }) => value), 0);
}

/** The line at zero, and the highest value in words above the drawing. */
export function valueAxis(points: Point[]): Html {
  const most = highestOf(points);
  return html`<text x="0" y="11">${points.find(({ value }) => value === most)?.text ?? ''}</text>
    <line
      class="axis"
      x1="0"
      y1="${String(BASE)}"
      x2="${String(CHART_WIDTH)}"
      y2="${String(BASE)}"
    />`;
}
