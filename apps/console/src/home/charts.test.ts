import { barChart, shareChart } from './charts';

const chart = (values: number[]) => ({
  title: 'Orders <b>',
  headings: ['Hour', 'Orders'] as [string, string],
  points: values.map((value, at) => ({ label: `${at} h`, value, text: String(value) })),
});

it.each([
  ['bars', barChart],
  ['shares', shareChart],
])('%s: a named picture, the same values as a table, and no numbers that are none', (_, draw) => {
  for (const values of [[1, 4, 2], [0, 0], [7]]) {
    const { text } = draw(chart(values));
    expect(text).toContain('role="img"');
    expect(text).toContain('<title>Orders &lt;b&gt;: 0 h');
    expect(text.match(/<tr /g)).toHaveLength(values.length + 1);
    expect(text).not.toMatch(/NaN|Infinity/);
  }
});

it('a bar is as high as its share of the highest', () => {
  const heights = [...barChart(chart([1, 4, 2])).text.matchAll(/height="([\d.]+)"\s*rx=/g)];
  expect(heights.map(([, height]) => Number(height))).toEqual([21, 84, 42]);
});

it('the parts of a whole are as wide as their shares, which the legend has', () => {
  const { text } = shareChart(chart([3, 1]));
  const widths = [...text.matchAll(/width="([\d.]+)"\s*height="11"/g)];
  expect(widths.map(([, width]) => Number(width))).toEqual([238, 78]);
  expect(text).toMatch(/75%[^]*25%/);
});
