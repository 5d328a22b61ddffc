import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DENY, MESSAGES, WHATSAPP_TEMPLATES } from '@fiado/contracts/message-catalogue';
import { SCOPES_OF_KIND } from '@fiado/contracts/caller';
import { CHANGE_KINDS } from '@fiado/contracts/change-requests';
import { SERVICES } from '@fiado/contracts/process-names';
import type { Route } from '@fiado/chassis/http/endpoint';
import { documentPath } from '@fiado/chassis/openapi/document';
import { repositoryRoot } from './openapi-json';
import { servedRoutes } from './served-routes';

/** A table within a document. */
interface Table {
  /** Path from the repository's root. */
  document: string;
  /** Of the marks around it. */
  name: string;
  /** The head first; cells of Markdown. */
  rows: () => string[][];
}

export const TABLES: Table[] = [
  { document: 'docs/security.md', name: 'change-kinds', rows: changeKindRows },
  { document: 'docs/operations/ops-keys.md', name: 'scopes', rows: scopeRows },
  { document: 'docs/whatsapp.md', name: 'whatsapp-templates', rows: whatsappRows },
  ...SERVICES.map((service) => ({
    document: `services/${service}/README.md`,
    name: 'endpoints',
    rows: () => endpointRows(service),
  })),
];

/** The document as it is, and with its table written anew. @throws Error when it has no place for the table */
export function withTable({ document, name, rows }: Table): { text: string; written: string } {
  const text = readFileSync(join(repositoryRoot(), document), 'utf8');
  const begin = `<!-- ${name}: \`npm run generate\` writes this table -->`;
  const end = `<!-- /${name} -->`;
  const [before, rest] = text.split(begin);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined) throw new Error(`${document} lacks ${begin}`);
  // oxfmt formats what is not in docs.
  const table = tableOf(rows(), !document.startsWith('docs/'));
  return { text, written: `${before}${begin}\n\n${table}\n\n${end}${after}` };
}

function tableOf([head = [], ...rows]: string[][], isPadded: boolean): string {
  const widths = head.map((title, at) =>
    isPadded
      ? Math.max(...[title, ...rows.map((row) => row[at] ?? '')].map((cell) => cell.length))
      : 0,
  );
  const lineOf = (cells: string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = widths.map((width) => '-'.repeat(Math.max(width, 3)));
  return [lineOf(head), lineOf(rule), ...rows.map(lineOf)].join('\n');
}

/** The texts for Twilio's template builder, each with an example of its variables. */
function whatsappRows(): string[][] {
  const lender = { lender: 'LENDER_NAME', phone: 'SUPPORT_PHONE', where: '', page: '', deny: DENY };
  const rows = WHATSAPP_TEMPLATES.map((template) => {
    const examples: string[] = [];
    const value = (text: string) => `{{${examples.push(text)}}}`;
    const values = MESSAGES[template].longest as never;
    const text = MESSAGES[template].text(values, { ...lender, name: (full) => full, value });
    return [
      `\`${template}\``,
      text,
      examples.map((example, at) => `{{${at + 1}}}: ${example}`).join('; '),
    ];
  });
  return [['template', 'body', 'examples of its variables'], ...rows];
}

/** What waits for a second person. */
function changeKindRows(): string[][] {
  const rows = Object.entries(CHANGE_KINDS).map(([kind, { guards, approver }]) => [
    guards,
    `\`${kind}\``,
    approver,
  ]);
  return [['waits for a second person', 'kind', 'who approves'], ...rows];
}

/** The endpoints of ops, those that need the least scope first. */
function scopeRows(): string[][] {
  const served = Object.values(servedRoutes)
    .flat()
    .filter(({ path }) => path.startsWith('/v1/admin/'));
  const ranks: readonly string[] = SCOPES_OF_KIND.ops;
  const rows = inOrder(served)
    .map(([signature, { scope = '' }]) => [signature, scope] as const)
    .toSorted(([, one], [, other]) => ranks.indexOf(one) - ranks.indexOf(other));
  return [['endpoint', 'scope'], ...rows.map(([signature, scope]) => [`\`${signature}\``, scope])];
}

/** The documented endpoints of a service. */
function endpointRows(service: string): string[][] {
  const served = (servedRoutes[service] ?? []).filter(({ operation }) => operation !== undefined);
  const rows = inOrder(served).map(([signature, { allow, operation }]) => [
    `\`${signature}\``,
    allow.join(', '),
    operation?.summary ?? '',
  ]);
  return [['endpoint, below `/v1`', 'called by', 'does'], ...rows];
}

/** By path, then method. What several services serve, each for some of its paths, is one. */
function inOrder(routes: Route[]): Array<[signature: string, route: Route]> {
  const keyOf = ({ method, path }: Route) => `${path} ${method}`;
  const known = new Map(
    routes.map((route) => [`${route.method.toUpperCase()} ${documentPath(route.path)}`, route]),
  );
  return [...known].toSorted(([, one], [, other]) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function main(): void {
  for (const table of TABLES) {
    writeFileSync(join(repositoryRoot(), table.document), withTable(table).written);
  }
}

if (require.main === module) main();
