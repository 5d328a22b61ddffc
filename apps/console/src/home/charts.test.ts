import { sayIn } from '../frame/words';
import { barChart, lineChart, stackedChart } from './charts';

const say = sayIn('en');
const chart = (values: number[]) => ({
  title: 'Orders <b>',
  headings: ['Hour', 'Orders'] as [string, string],
  points: values.map((value, at) => ({ label: `${at} h`, value, text: String(value) })),
});

it.each([
  ['bars', barChart],
  ['a line', lineChart],
  ['a stack', stackedChart],
])('%s: a named picture, the same values as a table, and no numbers that are none', (_, draw) => {
  for (const values of [[1, 4, 2], [0, 0], [7]]) {
    const { text } = draw(say, chart(values));
    expect(text).toContain('role="img"');
    expect(text).toContain('<title>Orders &lt;b&gt;: 0 h');
    expect(text.match(/<tr>/g)).toHaveLength(values.length + 1);
    expect(text).not.toMatch(/NaN|Infinity/);
  }
});

it('a bar is as high as its share of the highest', () => {
  const heights = [...barChart(say, chart([1, 4, 2])).text.matchAll(/height="([\d.]+)"\s*\/>/g)];
  expect(heights.map(([, height]) => Number(height))).toEqual([26, 104, 52]);
});

it('the parts of a stack are as wide as their shares', () => {
  const widths = [
    ...stackedChart(say, chart([3, 1])).text.matchAll(/width="([\d.]+)"\s*height="28"/g),
  ];
  expect(widths.map(([, width]) => Number(width))).toEqual([238, 78]);
});
