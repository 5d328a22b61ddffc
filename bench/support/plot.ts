import { keeps, type Finding } from './world';

const ROW = 26;
const LABEL = 330;
const BAR = 420;
const MARGIN = 16;
const GOOD = '#2f855a';
const BAD = '#c53030';

/**
 * Every finding that has a target, as a bar against it: the line is the target, and shorter is
 * better (for what must be at least so much, the target in its value is drawn).
 */
export function plotOf(findings: Finding[]): string {
  const bars = findings.filter(({ target }) => target !== undefined);
  const height = MARGIN * 3 + bars.length * ROW;
  const width = LABEL + BAR + MARGIN * 6;
  const line = LABEL + BAR / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<rect width="${width}" height="${height}" fill="#ffffff"/>
<text x="${line}" y="${MARGIN}" text-anchor="middle" fill="#444444">the target (shorter is better)</text>
${bars.map((finding, at) => barOf(finding, MARGIN * 2 + at * ROW)).join('\n')}
<line x1="${line}" x2="${line}" y1="${MARGIN + 6}" y2="${height - MARGIN}" stroke="#444444" stroke-dasharray="4 3"/>
</svg>
`;
}

function barOf(finding: Finding, y: number): string {
  const length = Math.min(BAR, (shareOf(finding) * BAR) / 2);
  const colour = keeps(finding) === true ? GOOD : BAD;
  const value = `${finding.value.toFixed(finding.value < 10 ? 2 : 0)} ${finding.unit}`;
  return `<text x="${LABEL - 8}" y="${y + 16}" text-anchor="end">${escaped(finding.what)}</text>
<rect x="${LABEL}" y="${y + 4}" width="${length.toFixed(1)}" height="${ROW - 10}" fill="${colour}"/>
<text x="${LABEL + length + 6}" y="${y + 16}" fill="#444444">${value}</text>`;
}

/** How much of its target a finding uses up; above 1 it is missed. */
function shareOf({ value, target }: Finding): number {
  if (target === undefined) return 0;
  return 'least' in target ? target.least / value : value / target.most;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}
