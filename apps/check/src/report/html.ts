import type { Result, Text } from '../scenario';
import { countOf, escaped, type Report } from './report';

type Language = keyof Text;

const STATUS: { [status in Result['status']]: Text } = {
  passed: { es: 'aprobada', en: 'passed' },
  failed: { es: 'fallida', en: 'failed' },
  skipped: { es: 'omitida', en: 'skipped' },
};
const TITLES: { [kit in Report['kit']]: Text } = {
  provider: { es: 'Pruebas de proveedor de pagos', en: 'Payment provider conformance' },
  record: { es: 'Avisos de un proveedor de pagos', en: 'Notices of a payment provider' },
  webhooks: { es: 'Pruebas de receptor de webhooks', en: 'Webhook receiver conformance' },
};
const COLUMNS: { [language in Language]: string[] } = {
  es: ['Prueba', 'Regla', 'Resultado', 'Comprobaciones (esperado / obtenido)'],
  en: ['Check', 'Rule', 'Result', 'Comparisons (expected / got)'],
};
const HEADINGS: Array<[Language, string]> = [
  ['es', 'Español'],
  ['en', 'English'],
];
const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;width:100%}td,th{border:1px solid #ccc;padding:.4rem .6rem;text-align:left;vertical-align:top}
.passed{color:#176b2c}.failed{color:#b00020;font-weight:600}.skipped{color:#666}code{word-break:break-all}`;

/** The report as one page in Spanish and English, to attach to a contract. */
export function htmlText(report: Report): string {
  const { kit, target, date, hash } = report;
  const parts = HEADINGS.map(
    ([language, name]) => `<h2>${name}</h2>
<p>${summary(report, language)}</p>
<table lang="${language}"><tr>${COLUMNS[language].map((text) => `<th>${text}</th>`).join('')}</tr>
${report.results.map((result) => row(result, language)).join('\n')}
</table>`,
  );
  return `<!doctype html>
<html lang="es"><meta charset="utf-8"><title>fiado-check ${kit}</title><style>${STYLE}</style>
<h1>${TITLES[kit].es} · ${TITLES[kit].en}</h1>
<p><code>${escaped(target)}</code> · ${date}<br>SHA-256 <code>${hash}</code></p>
${parts.join('\n')}
</html>
`;
}

function summary(report: Report, language: Language): string {
  return (['passed', 'failed', 'skipped'] as const)
    .map((status) => `${countOf(report, status)} ${STATUS[status][language]}(s)`)
    .join(', ');
}

function row({ id, title, rule, status, checks, note }: Result, language: Language): string {
  const lines = checks.map(
    ({ what, expected, got, ok }) =>
      `<span class="${ok ? 'passed' : 'failed'}">${ok ? '✓' : '✗'}</span> ${escaped(what)}: ${escaped(expected)} / ${escaped(got)}`,
  );
  const texts = [...lines, ...(note === undefined ? [] : [escaped(note)])];
  return `<tr><td>${id} ${escaped(title[language])}</td><td>${escaped(rule[language])}</td><td class="${status}">${STATUS[status][language]}</td><td>${texts.join('<br>')}</td></tr>`;
}
