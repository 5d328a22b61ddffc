import { html, type Html } from '@fiado/chassis/html';
import type { Say } from '../../words';
import { CHART_WIDTH, chartFigure, type Chart } from './chart-figure';

const BAR = 28;
const HEIGHT = 44;
/** Between two parts: colours are not the only border. */
const GAP = 2;
/** Narrower parts have no room for their number, which is in the legend. */
const MIN_NUMBERED = 14;

/** One bar whose parts add up to all; each part has its number, which the legend explains. */
export function stackedChart(say: Say, chart: Chart): Html {
  const { points } = chart;
  const total = points.reduce((sum, { value }) => sum + value, 0);
  let x = 0;
  const drawing = points.map(({ value }, at) => {
    const width = total === 0 ? 0 : (CHART_WIDTH * value) / total;
    const part = html`<rect
        class="part-${String(at)}"
        x="${x.toFixed(1)}"
        y="0"
        width="${Math.max(width - GAP, 0).toFixed(1)}"
        height="${String(BAR)}"
      />${
        width < MIN_NUMBERED
          ? html``
          : html`<text x="${x.toFixed(1)}" y="${String(HEIGHT - 3)}">${String(at + 1)}</text>`
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
  return chartFigure(say, chart, { height: HEIGHT, drawing, legend: [legend] });
}
