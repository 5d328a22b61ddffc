import { html, type Html } from '@fiado/chassis/html';
import type { Say } from '../../words';
import { CHART_WIDTH, chartFigure, type Chart } from './chart-figure';
import { BASE, HEIGHT, highestOf, valueAxis } from './value-axis';

const TOP = 16;
/** Share of a bar's place that stays free beside it. */
const GAP = 0.2;
/** Labels beneath the bars, at most: more would touch each other. */
const MAX_LABELS = 6;

/** Bars from zero, with the highest value above them. */
export function barChart(say: Say, chart: Chart): Html {
  const { points } = chart;
  const most = highestOf(points);
  const place = CHART_WIDTH / points.length;
  const every = Math.ceil(points.length / MAX_LABELS);
  const drawing = points.flatMap(({ label, value }, at) => {
    const height = most === 0 ? 0 : ((BASE - TOP) * value) / most;
    const x = (at * place).toFixed(1);
    const bar = html`<rect
      class="bar"
      x="${x}"
      y="${(BASE - height).toFixed(1)}"
      width="${(place * (1 - GAP)).toFixed(1)}"
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
