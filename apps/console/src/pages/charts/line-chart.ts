import { html, type Html } from '@fiado/chassis/html';
import type { Say } from '../../words';
import { CHART_WIDTH, chartFigure, type Chart } from './chart-figure';
import { BASE, HEIGHT, highestOf, valueAxis } from './value-axis';

const TOP = 20;
/** Room for half of the last dot. */
const MARGIN = 4;

/** A line from zero to its highest value, which is written above it. */
export function lineChart(say: Say, chart: Chart): Html {
  const { points } = chart;
  const most = highestOf(points);
  const step = (CHART_WIDTH - 2 * MARGIN) / Math.max(points.length - 1, 1);
  const places = points.map(({ value }, at) => ({
    x: (MARGIN + at * step).toFixed(1),
    y: (most === 0 ? BASE : BASE - ((BASE - TOP) * value) / most).toFixed(1),
  }));
  const last = places.at(-1) ?? { x: '0', y: String(BASE) };
  return chartFigure(say, chart, {
    height: HEIGHT,
    drawing: [
      valueAxis(points),
      html`<polyline class="line" points="${places.map(({ x, y }) => `${x},${y}`).join(' ')}" />
        <circle class="bar" cx="${last.x}" cy="${last.y}" r="4" />
        <text x="0" y="${String(HEIGHT - 3)}">${points[0]?.label ?? ''}</text>
        <text class="end" x="${String(CHART_WIDTH)}" y="${String(HEIGHT - 3)}">
          ${points.at(-1)?.label ?? ''}
        </text>`,
    ],
  });
}
