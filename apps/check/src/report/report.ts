import { createHash } from 'node:crypto';
import type { Result } from '../scenario';

/** All results of a run. */
export interface Report {
  kit: 'provider' | 'webhooks' | 'record';
  /** Address that was tried, without its query: that may hold a secret. */
  target: string;
  /** ISO 8601. */
  date: string;
  results: Result[];
  /** SHA-256 of all the above, to tell a changed report. */
  hash: string;
}

export function reportOf(report: Omit<Report, 'hash'>): Report {
  const hash = createHash('sha256').update(JSON.stringify(report)).digest('hex');
  return { ...report, hash };
}

export function countOf({ results }: Report, status: Result['status']): number {
  return results.filter((result) => result.status === status).length;
}

/** A line for each scenario, and for each comparison that failed. */
export function tableText(report: Report): string {
  const lines = report.results.flatMap(({ id, status, title, note, checks }) => [
    `${id}  ${status.padEnd(7)}  ${title.en}${status === 'skipped' ? ` (${note})` : ''}`,
    ...(status === 'failed' && note !== undefined ? [`       ${note}`] : []),
    ...checks
      .filter(({ ok }) => !ok)
      .map(({ what, expected, got }) => `       ${what}: expected ${expected}, got ${got}`),
  ]);
  const counts = (['passed', 'failed', 'skipped'] as const)
    .map((status) => `${countOf(report, status)} ${status}`)
    .join(', ');
  return `${[...lines, '', counts].join('\n')}\n`;
}

/** TAP 14, as test harnesses read it. */
export function tapText(report: Report): string {
  const lines = report.results.flatMap(({ id, title, status, note = '', checks }, index) => [
    `${status === 'failed' ? 'not ok' : 'ok'} ${index + 1} - ${id} ${title.en}${status === 'skipped' ? ` # SKIP ${note}` : ''}`,
    ...(status === 'failed' && note !== '' ? [`# ${note}`] : []),
    ...checks
      .filter(({ ok }) => !ok)
      .map(({ what, expected, got }) => `# ${what}: expected ${expected}, got ${got}`),
  ]);
  return `${['TAP version 14', `1..${report.results.length}`, ...lines].join('\n')}\n`;
}

/** JUnit XML, as most build servers read it. */
export function junitText(report: Report): string {
  const cases = report.results.map(({ id, title, status, note, checks, durationMs }) => {
    const open = `  <testcase classname="fiado-check.${report.kit}" name="${escaped(`${id} ${title.en}`)}" time="${durationMs / 1_000}"`;
    if (status === 'passed') return `${open}/>`;
    if (status === 'skipped')
      return `${open}><skipped message="${escaped(note ?? '')}"/></testcase>`;
    const problems = checks
      .filter(({ ok }) => !ok)
      .map(({ what, expected, got }) => `${what}: expected ${expected}, got ${got}`);
    const text = [...(note === undefined ? [] : [note]), ...problems].join('\n');
    return `${open}><failure message="${escaped(title.en)}">${escaped(text)}</failure></testcase>`;
  });
  const head = `<testsuite name="fiado-check ${report.kit}" tests="${report.results.length}" failures="${countOf(report, 'failed')}" skipped="${countOf(report, 'skipped')}" timestamp="${report.date}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${cases.join('\n')}\n</testsuite>\n`;
}

/** A text within XML or HTML. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
